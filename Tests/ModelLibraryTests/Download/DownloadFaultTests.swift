import Foundation
import JSON
import ModelLibrary
import Synchronization
import TestSupport
import Testing

/// What goes wrong on the way: the right file in the end, or a clear error and no file.
@Suite struct DownloadFaultTests {
  @Test(arguments: [true, false])
  func aFileComesWhole(_ isLarge: Bool) throws {
    let rig = try FetchRig(isLarge: isLarge)
    #expect(rig.isRight(try rig.fetch()))
    #expect(try rig.sent() == rig.size)
  }

  @Test(arguments: [0, 1, 1000, 65_536, 2_097_152, 3_000_001, 4_999_999])
  func aCutCostsNothing(_ at: Int) throws {
    let rig = try FetchRig(faults: [fault("cut", ["at": .integer(at)], times: at == 0 ? 3 : 1)])
    #expect(rig.isRight(try rig.fetch()))
    #expect(try rig.sent() == rig.size)
  }

  @Test func manyCutsAreGoneOnFrom() throws {
    let rig = try FetchRig(faults: [fault("cut", ["at": 300_000], times: -1)])
    #expect(rig.isRight(try rig.fetch()))
    #expect(try rig.sent() == rig.size)
    #expect(try rig.hub.log().filter { $0.server == "cdn" && $0.range != nil }.count >= 15)
  }

  @Test func rangesAreBoundToTheVersion() throws {
    let rig = try FetchRig(faults: [fault("cut", ["at": 1_000_000])])
    try rig.fetch()
    let ranged = try rig.hub.log().filter { $0.server == "cdn" && $0.range != nil }
    #expect(ranged.map(\.range) == ["bytes=1000000-"])
    #expect(ranged.allSatisfy { $0.condition != nil })
  }

  @Test func aStallIsGivenUpAndGoneOnFrom() throws {
    let rig = try FetchRig(faults: [fault("stall", ["at": 1_000_000, "seconds": 30])])
    #expect(rig.isRight(try rig.fetch()))
    #expect(try rig.sent() == rig.size)
  }

  @Test func aServerThatNeverSendsIsGivenUp() throws {
    let rig = try FetchRig(faults: [fault("cut", ["at": 0], times: -1)])
    #expect(throws: NetworkError.self) { try rig.fetch() }
    #expect(!rig.isLoadable)
  }

  /// It sends all again, and what is here is compared and kept.
  @Test func aServerWithoutRangesIsReadAgain() throws {
    let rig = try FetchRig(faults: [
      fault("cut", ["at": 3_000_000]), fault("ignore_range", times: -1),
    ])
    #expect(rig.isRight(try rig.fetch()))
    #expect(try rig.sent() == rig.size + 3_000_000)
  }

  @Test func aWrongRangeIsNotWritten() throws {
    let rig = try FetchRig(faults: [
      fault("cut", ["at": 3_000_000]), fault("wrong_range", ["by": 5], times: -1),
    ])
    #expect(rig.isRight(try rig.fetch()))
  }

  @Test(arguments: [1000, -1000])
  func aWrongLengthOncePasses(_ delta: Int) throws {
    let rig = try FetchRig(faults: [fault("lie", ["delta": .integer(delta)])])
    #expect(rig.isRight(try rig.fetch()))
  }

  @Test func aWrongLengthIsAnErrorInTheEnd() throws {
    let rig = try FetchRig(faults: [fault("lie", ["delta": 1000], times: -1)])
    let error = NetworkError.size(file: "model.gguf", expected: rig.size, found: rig.size + 1000)
    #expect(throws: error) { try rig.fetch() }
    #expect(!rig.isLoadable)
  }

  @Test func aFileWithoutLengthIsTaken() throws {
    let rig = try FetchRig(faults: [fault("chunked", times: -1), fault("no_etag", times: -1)])
    #expect(rig.isRight(try rig.fetch()))
    let bare = try FetchRig(faults: [fault("chunked", times: -1)])
    #expect(bare.isRight(try bare.fetch(bare.bareFile)))
  }

  /// Nothing was promised of it, so the new one is taken, and whole.
  @Test(arguments: [5_000_000, 4_000_000])
  func aFileThatChangesIsBegunAgain(_ newSize: Int) throws {
    let rig = try FetchRig(faults: [
      fault("cut", ["at": 3_000_000]),
      fault("change", ["seed": 2, "size": .integer(newSize)], times: -1, skip: 1),
    ])
    let fetched = try rig.fetch(rig.bareFile)
    let other: JSONValue = ["size": .integer(newSize), "seed": 2]
    let digests = try rig.hub.serve(FetchRig.repositories(other))
    #expect(fetched.sha256 == digests["owner/name/model.gguf"])
    #expect(fetched.byteCount == newSize)
  }

  @Test func aFileThatIsNotThePromisedOneIsRefused() throws {
    let rig = try FetchRig(faults: [fault("change", ["seed": 2], times: -1)])
    #expect(throws: NetworkError.self) { try rig.fetch() }
    #expect(!rig.isLoadable)
    #expect(!rig.hasPart)
  }

  /// The same bytes under another mark are not fetched again.
  @Test func anotherMarkForTheSameFileCostsNothing() throws {
    let rig = try FetchRig(faults: [
      fault("cut", ["at": 3_000_000]), fault("etag", ["value": "\"other\""], times: -1, skip: 1),
    ])
    #expect(rig.isRight(try rig.fetch()))
    // What the sockets between held; the whole again would be 3 MB.
    #expect(try rig.sent() <= rig.size + 2_900_000)
  }

  @Test func aDamagedByteCostsAtMostASecondReading() throws {
    let rig = try FetchRig(faults: [fault("corrupt", ["at": 2_500_000])])
    #expect(rig.isRight(try rig.fetch()))
    #expect(try rig.sent() <= 2 * rig.size)
  }

  @Test func withDigestsOfPartsOnlyTheBadOneComesAgain() throws {
    let rig = try FetchRig(faults: [fault("corrupt", ["at": 2_500_000])])
    var file = rig.file
    let part = 1 << 20
    let text = CatalogTests.text(name: "x").replacing(
      "9000", with: "\(rig.size), \"chunks\": CHUNKS")
    let digests = try rig.hub.chunkDigests(of: rig.spec, size: part)
    let chunks: JSONValue = [
      "bytes": .integer(part), "sha256": .array(digests.map { .string($0) }),
    ]
    let catalog = try Catalog(Array(text.replacing("CHUNKS", with: chunks.text).utf8))
    file.chunks = catalog.models[0].variants[0].sources[0].files[0].chunks
    #expect(rig.isRight(try rig.fetch(file)))
    #expect(try rig.sent() <= rig.size + part)
  }

  @Test func damageThatComesEachTimeIsAnError() throws {
    let rig = try FetchRig(faults: [fault("corrupt", ["at": 2_500_000], times: -1)])
    do {
      try rig.fetch()
      Issue.record("accepted")
    } catch NetworkError.digest(let file, let expected, let found) {
      #expect(file == "model.gguf")
      #expect(expected == rig.digest)
      #expect(found != expected)
    }
    #expect(!rig.isLoadable)
    #expect(!rig.hasPart)
  }

  @Test func aStaleLinkIsAskedForAgain() throws {
    let rig = try FetchRig(faults: [
      fault("cut", ["at": 3_000_000]), fault("status", ["code": 403], times: 2, skip: 1),
    ])
    #expect(rig.isRight(try rig.fetch()))
    #expect(try rig.sent() == rig.size)
    #expect(try rig.hub.log().filter { $0.server == "hub" }.count == 4)
  }

  @Test func theHubsNewWordAboutAFileIsHeeded() throws {
    let rig = try FetchRig(faults: [fault("linked", ["size": 7], times: -1, server: "hub")])
    #expect(throws: NetworkError.changed(file: "model.gguf")) { try rig.fetch() }
    #expect(!rig.isLoadable)
  }

  @Test(arguments: [500, 502, 503, 429])
  func aPassingRefusalIsWaitedOut(_ status: Int) throws {
    let rig = try FetchRig(faults: [
      fault("status", ["code": .integer(status)], times: 2, server: "hub")
    ])
    #expect(rig.isRight(try rig.fetch()))
  }

  @Test func aServerMaySayHowLongToWait() throws {
    let wait: JSONValue = ["code": 429, "headers": ["Retry-After": "1"]]
    let rig = try FetchRig(faults: [fault("status", wait, server: "hub")])
    let start = ContinuousClock.now
    #expect(rig.isRight(try rig.fetch()))
    #expect(start.duration(to: .now) >= .milliseconds(700))
    let long: JSONValue = ["code": 429, "headers": ["Retry-After": "4000"]]
    let other = try FetchRig(faults: [fault("status", long, server: "hub")])
    #expect(throws: NetworkError.rateLimited(host: "127.0.0.1", seconds: 4000)) {
      try other.fetch()
    }
  }

  @Test(arguments: [401, 403, 404])
  func aRefusalIsSaidAtOnce(_ status: Int) throws {
    let rig = try FetchRig(faults: [
      fault("status", ["code": .integer(status)], times: -1, server: "hub")
    ])
    let what = "model.gguf in owner/name"
    let error: NetworkError =
      status == 404
      ? .notFound(what: what) : .denied(what: what, status: status, hasToken: false)
    #expect(throws: error) { try rig.fetch() }
    #expect(try rig.hub.log().count == 1)
    #expect(!rig.isLoadable)
  }

  @Test func aServerErrorThatStaysIsSaid() throws {
    let rig = try FetchRig(faults: [fault("status", ["code": 500], times: -1, server: "hub")])
    #expect(throws: NetworkError.status(host: "127.0.0.1", 500)) { try rig.fetch() }
    #expect(try rig.hub.log().count == rig.settings.attempts)
  }

  @Test func redirectsEnd() throws {
    let rig = try FetchRig(faults: [fault("loop", times: -1, server: "hub")])
    #expect(throws: NetworkError.redirects(host: "127.0.0.1")) { try rig.fetch() }
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "http://user:word@127.0.0.1/x"])
  func redirectsLeadToTheWebOnly(_ url: String) throws {
    let rig = try FetchRig(faults: [
      fault("elsewhere", ["url": .string(url)], times: -1, server: "hub")
    ])
    #expect(throws: NetworkError.badURL(url)) { try rig.fetch() }
  }

  @Test func theTokenStaysWithTheHub() throws {
    let rig = try FetchRig(faults: [fault("cut", ["at": 1000])])
    rig.token = "hf_secret"
    #expect(rig.isRight(try rig.fetch()))
    for request in try rig.hub.log() {
      let expected = request.server == "hub" ? "Bearer hf_secret" : nil
      #expect(request.authorization == expected)
    }
  }

  @Test func nobodyThereIsSaid() throws {
    let rig = try FetchRig()
    var file = rig.file
    file.location = .url("http://127.0.0.1:9/model.gguf")
    #expect {
      try rig.fetch(file)
    } throws: {
      if case NetworkError.unreachable(host: "127.0.0.1", _) = $0 { true } else { false }
    }
  }

  /// A host that has never answered gets a second try and no more, and each is told.
  @Test func aFirstContactIsShort() throws {
    let rig = try FetchRig(faults: [fault("silent", ["seconds": 30], times: -1, server: "hub")])
    var settings = rig.settings
    let told = Mutex<[String]>([])
    settings.retrying = { note in
      told.withLock { $0.append("\(note.attempt) of \(note.attempts)") }
    }
    #expect {
      try Downloader(settings).fetch([rig.file], into: rig.folder)
    } throws: {
      if case NetworkError.unreachable = $0 { true } else { false }
    }
    #expect(try rig.hub.log().count == 2)
    #expect(told.withLock { $0 } == ["2 of 2"])
  }

  /// What is under way keeps its patience.
  @Test func aHostThatHasAnsweredIsWaitedFor() throws {
    let rig = try FetchRig(faults: [
      fault("cut", ["at": 1_000_000]), fault("silent", ["seconds": 3], times: 4, skip: 1),
    ])
    #expect(rig.isRight(try rig.fetch()))
  }

  @Test func offlineAsksNobody() throws {
    let rig = try FetchRig()
    var settings = rig.settings
    settings.offlineSwitch = "--offline"
    #expect(throws: NetworkError.offline("Fetching model.gguf", by: "--offline")) {
      try Downloader(settings).fetch([rig.file], into: rig.folder)
    }
    #expect(try rig.hub.log().isEmpty)
  }

  @Test(arguments: ["../x", "a/b", ".hidden", "", "x\u{1B}[2J"])
  func namesAreSafe(_ name: String) throws {
    let rig = try FetchRig(size: 1000)
    var file = rig.file
    file.name = name
    #expect(throws: NetworkError.unsafeName(name)) { try rig.fetch(file) }
  }
}
