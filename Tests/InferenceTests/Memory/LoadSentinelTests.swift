import Foundation
import Inference
import TestSupport
import Testing

/// One after the other: a process is in one load at a time.
@Suite(.serialized) struct LoadSentinelTests {
  private let folder: ScratchDirectory
  private let model: String

  init() throws {
    folder = try ScratchDirectory()
    model = try folder.write("model.gguf", "GGUF")
  }

  private var loads: String { folder.path + "/loads" }

  /// The sentinel of a process that has this identifier, start and boot as far as files tell.
  private func sentinel(start: Int, boot: String = "b", others: [Int: Int] = [:]) -> LoadSentinel {
    var files = ["/proc/sys/kernel/random/boot_id": boot + "\n"]
    for (identifier, start) in others.merging([Int(getpid()): start], uniquingKeysWith: { $1 }) {
      files["/proc/\(identifier)/stat"] = Self.stat(identifier, start: start)
    }
    return LoadSentinel(directory: loads, files: .invented(files))
  }

  private static func stat(_ identifier: Int, start: Int, state: String = "R") -> String {
    let rest = Array(repeating: "0", count: 18).joined(separator: " ")
    return "\(identifier) (a (strange) name) \(state) \(rest) \(start) 12345 0"
  }

  private func begin(_ sentinel: LoadSentinel) throws -> LoadMarker? {
    try sentinel.begin(path: model, name: "tiny", byteCount: 1_000_000_000)
  }

  /// A process begins a load and is killed in it: its marker stays as it was on disk.
  private func die(start: Int, boot: String = "b") throws {
    var marker = try begin(sentinel(start: start, boot: boot))
    try #require(marker != nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: loads)
    let name = try #require(names.first { $0.hasSuffix("-\(start).load") })
    let bytes = try Data(contentsOf: URL(filePath: loads + "/" + name))
    marker = nil
    try bytes.write(to: URL(filePath: loads + "/" + name))
  }

  private var markers: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: loads)) ?? []
  }

  @Test func twoDeathsInARowRefuseTheModel() throws {
    try die(start: 1)
    #expect(sentinel(start: 3).deaths(path: model) == 1)
    try die(start: 2)
    #expect(sentinel(start: 3).deaths(path: model) == 2)
    #expect(throws: MemoryRefusal.deaths(LoadDeaths(model: "tiny", path: model, count: 2))) {
      try begin(sentinel(start: 3))
    }
    // What verifying does.
    sentinel(start: 3).clear(path: model)
    #expect(try begin(sentinel(start: 4)) != nil)
    #expect(markers.isEmpty)
  }

  @Test func aLoadThatIsDoneForgetsThem() throws {
    try die(start: 1)
    var marker = try begin(sentinel(start: 2))
    marker?.succeed()
    marker = nil
    #expect(sentinel(start: 3).deaths(path: model) == 0)
  }

  @Test func aLoadThatFailsNeitherCountsNorForgets() throws {
    try die(start: 1)
    _ = try begin(sentinel(start: 2))
    #expect(sentinel(start: 3).deaths(path: model) == 1)
    #expect(markers.count == 1)
  }

  @Test func processesThatLiveDoNotCount() throws {
    try die(start: 1)
    let alive = try begin(sentinel(start: 2))
    let other = sentinel(start: 2)
    #expect(other.deaths(path: model) == 1)
    // The same identifier and start after the machine was started anew is another process.
    #expect(sentinel(start: 2, boot: "c").deaths(path: model) == 2)
    // And the same identifier with another start.
    #expect(sentinel(start: 5).deaths(path: model) == 2)
    withExtendedLifetime(alive) {}
  }

  @Test func aZombieIsDead() throws {
    try die(start: 7)
    let files = [
      "/proc/sys/kernel/random/boot_id": "b",
      "/proc/\(getpid())/stat": Self.stat(Int(getpid()), start: 7, state: "Z"),
    ]
    let sentinel = LoadSentinel(directory: loads, files: .invented(files))
    #expect(sentinel.deaths(path: model) == 1)
  }

  @Test func anotherFileIsAnotherModel() throws {
    try die(start: 1)
    try die(start: 2)
    try folder.write("model.gguf", "GGUF and more")
    #expect(sentinel(start: 3).deaths(path: model) == 0)
    #expect(try begin(sentinel(start: 3)) != nil)
  }

  @Test func forcedIsLoadedAndSaysSo() throws {
    try die(start: 1)
    try die(start: 2)
    let warnings = Collected<MachineWarning>()
    var budget = MemoryBudget(
      isForced: true, sentinel: sentinel(start: 3), warn: { warnings.append($0) })
    #expect(try budget.beginLoad(path: model, name: "tiny", byteCount: 0) != nil)
    #expect(
      warnings.all.map(\.description) == [
        """
        The last 2 loads of tiny killed the program, most likely for lack of memory; trying anyway \
        (--force).
        """
      ])
    budget.isForced = false
    #expect(throws: MemoryRefusal.self) {
      try budget.beginLoad(path: model, name: "tiny", byteCount: 0)
    }
  }

  @Test func abandonedMarkersAreGone() throws {
    let live = LoadSentinel(directory: loads)
    let marker = try begin(live)
    try #require(marker != nil)
    #expect(markers.count == 1)
    LoadSentinel.abandonCurrent()
    #expect(markers.isEmpty)
    withExtendedLifetime(marker) {}
  }

  /// The end of an earlier load does not take the later one for its own.
  @Test func aMarkerThatGoesLeavesTheNextOneToBeAbandoned() throws {
    var first = try begin(sentinel(start: 1))
    let second = try begin(sentinel(start: 2))
    try #require(first != nil && second != nil)
    first = nil
    #expect(markers.count == 1)
    LoadSentinel.abandonCurrent()
    #expect(markers.isEmpty)
    withExtendedLifetime(second) {}
  }

  @Test func damagedMarkersAreNoDeaths() throws {
    try die(start: 1)
    let name = try #require(markers.first)
    for text in ["", "pipit load", "pipit load\nx\ny\nb\n", "\u{0}\u{0}\u{0}"] {
      try Data(text.utf8).write(to: URL(filePath: loads + "/" + name))
      #expect(sentinel(start: 3).deaths(path: model) == 0)
    }
  }

  @Test func aFolderThatCannotBeWrittenKeepsNobody() throws {
    let file = try folder.write("file", "")
    let sentinel = LoadSentinel(directory: file + "/loads")
    #expect(try sentinel.begin(path: model, name: "tiny", byteCount: 0) == nil)
  }
}
