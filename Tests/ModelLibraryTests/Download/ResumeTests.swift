import Foundation
import Glibc
import JSON
import ModelLibrary
import TestSupport
import Testing

/// Downloads that are stopped and gone on with.
@Suite struct ResumeTests {
  private static let chunk = 1 << 21

  /// Stops once `bytes` have come.
  private func interrupt(_ rig: FetchRig, after bytes: Int) throws -> NetworkError? {
    do {
      try rig.fetch { progress in
        if progress.phase == .downloading, progress.done >= bytes { rig.pause.pause() }
      }
      return nil
    } catch let error as NetworkError {
      rig.pause = PauseSwitch()
      return error
    }
  }

  @Test func aPauseKeepsWhatHasCome() throws {
    let rig = try FetchRig(
      size: 20_000_000, faults: [fault("throttle", ["rate": 30_000_000], times: -1)])
    let error = try interrupt(rig, after: 8_000_000)
    guard case .paused(let done, let total)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(done >= 8_000_000 && done < rig.size)
    #expect(total == rig.size)
    #expect(!rig.isLoadable)
    #expect(rig.isRight(try rig.fetch()))
    // Besides a chunk, what the sockets between held.
    #expect(try rig.sent() <= rig.size + Self.chunk + 6_000_000)
  }

  @Test func damageOnOurDiskIsFetchedAgainAndNothingElse() throws {
    let rig = try FetchRig(
      size: 20_000_000, faults: [fault("throttle", ["rate": 30_000_000], times: -1)])
    _ = try interrupt(rig, after: 10_000_000)
    let part = rig.path + ".part"
    let handle = try #require(FileHandle(forUpdatingAtPath: part))
    try handle.seek(toOffset: 3_000_000)
    try handle.write(contentsOf: Data([1, 2, 3]))
    try handle.close()
    try rig.serve(faults: [])
    let here = try #require(FetchRig.size(of: part)) / Self.chunk * Self.chunk
    #expect(rig.isRight(try rig.fetch()))
    #expect(try rig.sent() == rig.size - here + Self.chunk)
  }

  @Test(arguments: ["", "pipit part 1 2097152\n", "nonsense"])
  func aJournalThatIsDamagedIsNotBelieved(_ text: String) throws {
    let rig = try FetchRig(faults: [fault("throttle", ["rate": 10_000_000], times: -1)])
    _ = try interrupt(rig, after: 3_000_000)
    try Data(text.utf8).write(to: URL(filePath: rig.path + ".part.journal"))
    try rig.serve(faults: [])
    #expect(rig.isRight(try rig.fetch()))
  }

  @Test func anotherFilesPartIsNotGoneOnWith() throws {
    let rig = try FetchRig(faults: [fault("throttle", ["rate": 10_000_000], times: -1)])
    _ = try interrupt(rig, after: 3_000_000)
    let other: JSONValue = ["size": 4_500_000, "seed": 9, "lfs": true]
    let digests = try rig.hub.serve(FetchRig.repositories(other))
    var file = rig.file
    file.byteCount = 4_500_000
    file.digest = digests["owner/name/model.gguf"].map { .sha256($0) }
    #expect(try rig.fetch(file).sha256 == digests["owner/name/model.gguf"])
  }

  @Test func aWholeFileIsNotFetchedAgain() throws {
    let rig = try FetchRig()
    try rig.fetch()
    try rig.serve(faults: [])
    #expect(try rig.fetch().sha256 == rig.digest)
    #expect(try rig.hub.log().isEmpty)
  }

  @Test func progressAddsUpOverFiles() throws {
    let rig = try FetchRig(size: 3_000_000)
    let spec = rig.spec
    let digests = try rig.hub.serve([
      "owner/name": [
        "commit": .string(FetchRig.commit),
        "files": ["model.gguf": spec, "second.gguf": ["size": 2_000_000, "seed": 3, "lfs": true]],
      ]
    ])
    var second = rig.file
    second.name = "second.gguf"
    second.location = .hub(
      repository: FetchRig.repository, commit: FetchRig.commit, path: "second.gguf")
    second.byteCount = 2_000_000
    second.digest = digests["owner/name/second.gguf"].map { .sha256($0) }
    var seen: [DownloadProgress] = []
    let fetched = try Downloader(rig.settings).fetch([rig.file, second], into: rig.folder) {
      seen.append($0)
    }
    #expect(fetched.map(\.byteCount) == [3_000_000, 2_000_000])
    #expect(seen.contains { $0.phase == .verifying && $0.number == 2 })
    #expect(seen.allSatisfy { $0.total == 5_000_000 && $0.count == 2 })
    #expect(seen.last?.done == 5_000_000)
  }

  // MARK: Space

  @Test func tooLittleSpaceIsSaidBeforeAnythingIsWritten() throws {
    let rig = try FetchRig()
    var file = rig.file
    file.byteCount = 1 << 58
    #expect {
      try rig.fetch(file)
    } throws: {
      if case NetworkError.noSpace(_, let needed, _) = $0 { needed == 1 << 58 } else { false }
    }
    #expect(try rig.hub.log().isEmpty)
    #expect(!rig.hasPart)
  }

  /// A small file system of its own, where this process may make one.
  private final class SmallDisk {
    let path: String

    init?(_ scratch: Scratch) {
      path = scratch.path + "/disk"
      guard getuid() == 0, unsafe mkdir(path, 0o700) == 0,
        unsafe mount("tmpfs", path, "tmpfs", 0, "size=6m") == 0
      else { return nil }
    }

    deinit {
      unsafe umount(path)
    }
  }

  /// Something else fills the disk while the file comes.
  @Test func aDiskThatFillsUpKeepsWhatCameAndGoesOnLater() throws {
    let rig = try FetchRig(faults: [fault("throttle", ["rate": 8_000_000], times: -1)])
    guard let disk = SmallDisk(rig.scratch) else { return }
    let hog = disk.path + "/hog"
    let downloader = Downloader(rig.settings)
    let folder = disk.path + "/incoming"
    var isFull = false
    #expect {
      try downloader.fetch([rig.file], into: folder) { progress in
        if progress.phase == .downloading, progress.done > 1_000_000, !isFull {
          isFull = true
          try? Data(count: 3_000_000).write(to: URL(filePath: hog))
        }
      }
    } throws: {
      if case NetworkError.noSpace(_, let needed, _) = $0 { needed > 0 } else { false }
    }
    #expect(!FileManager.default.fileExists(atPath: folder + "/model.gguf"))
    try FileManager.default.removeItem(atPath: hog)
    try rig.serve(faults: [])
    #expect(try downloader.fetch([rig.file], into: folder)[0].sha256 == rig.digest)
    #expect(try rig.sent() < rig.size)
  }
}
