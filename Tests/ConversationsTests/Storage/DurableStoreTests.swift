import Conversations
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct DurableStoreTests {
  /// What cannot be made was not to be read.
  @Test func whatCannotBeMadeIsSaid() throws {
    #expect {
      try DurableStore(directory: "/proc").lock("x.lock")
    } throws: {
      "\($0)".hasPrefix("/proc/x.lock could not be written: ")
    }
  }

  private let scratch: ScratchDirectory
  private let old = Array("old".utf8)
  private let new = Array(String(repeating: "new ", count: 100).utf8)

  init() throws {
    scratch = try ScratchDirectory()
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  @Test func filesAndFoldersAreTheirOwnersAlone() throws {
    let store = DurableStore(directory: scratch.path + "/a/b")
    #expect(try store.read("x") == nil)
    #expect(try store.names() == [])
    try store.write("x", old)
    #expect(try store.read("x") == old)
    #expect(try store.names() == ["x"])
    #expect(try mode(scratch.path + "/a") == 0o700)
    #expect(try mode(scratch.path + "/a/b") == 0o700)
    #expect(try mode(store.path("x")) == 0o600)
    try store.write("x", [])
    #expect(try store.read("x") == [])
    try store.remove("x")
    try store.remove("x")
    #expect(try store.names() == [])
  }

  @Test func aWriteSynchronisesFileAndFolder() throws {
    try DurableStore(directory: scratch.path).write("x", old)
    let system = FaultySystem()
    try DurableStore(directory: scratch.path, system: system).write("x", new)
    #expect(
      system.calls == [.open, .write, .synchronise, .status, .rename, .open, .synchronise])
  }

  /// Whatever call of a write goes wrong in whatever way, the file is the old one or the new one.
  @Test(
    arguments: [
      FaultySystem.Fault.fails(EIO), .fails(ENOSPC), .fails(EINTR), .fails(EDQUOT), .isShort,
      .dies,
    ], 0..<8)
  func aFileIsOldOrNew(_ fault: FaultySystem.Fault, _ number: Int) throws {
    try DurableStore(directory: scratch.path).write("x", old)
    let system = FaultySystem { _, count in count == number ? fault : nil }
    let store = DurableStore(directory: scratch.path, system: system)
    var isWritten = true
    do { try store.write("x", new) } catch { isWritten = false }
    let after = DurableStore(directory: scratch.path)
    let found = try after.read("x")
    #expect(found == old || found == new)
    if isWritten { #expect(found == new) }
    if fault == .fails(EINTR) || fault == .isShort || number > 6 { #expect(isWritten) }
    // A process that lives clears up after itself, one that does not leaves no more than this.
    if fault != .dies { #expect(try after.names() == ["x"]) }
    #expect(try Set(after.names()).isSubset(of: ["x", "x.tmp"]))
    try after.write("x", new)
    #expect(try after.names() == ["x"])
  }

  @Test func shortWritesAddUp() throws {
    let store = DurableStore(
      directory: scratch.path, system: FaultySystem { call, _ in call == .write ? .isShort : nil })
    try store.write("x", new)
    #expect(try DurableStore(directory: scratch.path).read("x") == new)
  }

  @Test func shortAndInterruptedReadsAddUp() throws {
    try DurableStore(directory: scratch.path).write("x", new)
    let store = DurableStore(
      directory: scratch.path,
      system: FaultySystem { call, number in
        call == .read ? (number % 2 == 0 ? .fails(EINTR) : .isShort) : nil
      })
    #expect(try store.read("x") == new)
  }

  @Test func failuresSayWhichFileAndWhy() {
    let store = DurableStore(
      directory: scratch.path,
      system: FaultySystem { call, _ in call == .write ? .fails(ENOSPC) : nil })
    #expect {
      try store.write("x", new)
    } throws: { error in
      "\(error)" == "\(scratch.path)/x could not be written: No space left on device."
    }
  }

  @Test func whatIsSetAsideNeverReplacesAnything() throws {
    let store = DurableStore(directory: scratch.path)
    let time = Timestamp(milliseconds: 1_796_032_454_123)
    var names: [String] = []
    for text in ["one", "two", "three"] {
      try store.write("x", Array(text.utf8))
      names.append(try store.setAside("x", at: time))
    }
    #expect(names[0] == "x.corrupt-20261130T095414Z")
    #expect(try names.map { try store.read($0) } == ["one", "two", "three"].map { Array($0.utf8) })
    #expect(try store.read("x") == nil)
  }

  // MARK: Locks

  @Test func aLockHasOneHolder() throws {
    let store = DurableStore(directory: scratch.path + "/new")
    var first = try store.lock("l")
    #expect(first != nil)
    #expect(try store.lock("l") == nil)
    #expect(try store.lock("l", waiting: 20) == nil)
    #expect(try store.lock("other") != nil)
    first = nil
    #expect(try store.lock("l") != nil)
  }

  @Test func aLockWhoseFileGoesAwayIsTakenAnew() throws {
    let store = DurableStore(directory: scratch.path)
    for _ in 0..<3 {
      var lock = try store.lock("l", isRemovedAfterUse: true)
      #expect(lock != nil)
      #expect(try store.lock("l", isRemovedAfterUse: true) == nil)
      lock = nil
      #expect(try store.names() == [])
    }
  }

  @Test func manyThreadsNeverHoldALockTogether() async throws {
    let store = DurableStore(directory: scratch.path)
    try store.write("n", Array("0".utf8))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<25 {
            guard let lock = try? store.lock("l", waiting: 20_000, isRemovedAfterUse: true) else {
              Issue.record("no lock")
              return
            }
            withExtendedLifetime(lock) {
              let text = (try? store.read("n")).flatMap { $0 } ?? []
              let number = Int(String(decoding: text, as: UTF8.self)) ?? -1000
              _ = try? store.write("n", Array(String(number + 1).utf8))
            }
          }
        }
      }
    }
    #expect(try store.read("n") == Array("100".utf8))
  }
}
