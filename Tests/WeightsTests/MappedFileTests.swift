import Foundation
import Kernels
import TestSupport
import Testing

import Weights

@Suite struct MappedFileTests {
  @Test func bytesAreThoseOfTheFile() throws {
    let directory = try ScratchDirectory()
    let content = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let file = try MappedFile(path: directory.write("f", content))
    #expect(file.count == content.count)
    let bytes = file.bytes
    #expect((0..<content.count).allSatisfy { bytes[$0] == content[$0] })
    #expect(bytes.load(UInt32.self, at: 1) == 0x1C15_0E07)
    #expect(bytes[5000..<5010].offset == 5000)
    #expect(bytes.withSpan { $0.count } == content.count)
    #expect(
      bytes.word(at: 9_997) == UInt64(content[9_997]) | UInt64(content[9_998]) << 8
        | UInt64(content[9_999]) << 16)
    file.adviseReadOnce()
    file.adviseWillNeed(0..<file.count)
    file.adviseDontNeed(0..<file.count)
    #expect(bytes[4096] == content[4096])
  }

  #if os(Linux)
    /// A fault maps pages around the one that is read: those go with it.
    @Test(arguments: [4096, 100_000, 200_000])
    func whatAFaultBringsAlongIsReleasedWithIt(offset: Int) throws {
      let directory = try ScratchDirectory()
      let name = "rows-\(offset)"
      let path = try directory.write(name, [UInt8](repeating: 1, count: 256 << 10))
      let file = try MappedFile(path: path)
      #expect(file.bytes[offset] == 1)
      #expect(try resident(name) > 0)
      file.adviseDontNeed(offset..<offset + 1)
      #expect(try resident(name) == 0)
    }

    /// Bytes of a mapped file that are in memory.
    private func resident(_ name: String) throws -> Int {
      let maps = try #require(systemText("/proc/self/smaps"))
      let lines = maps.split(separator: "\n").drop { !$0.hasSuffix("/" + name) }
      let line = try #require(lines.first { $0.hasPrefix("Rss:") })
      return (Int(line.filter(\.isNumber)) ?? -1) * 1024
    }
  #endif

  @Test func anEmptyFileHasNoBytes() throws {
    let directory = try ScratchDirectory()
    let file = try MappedFile(path: directory.write("f", []))
    #expect(file.count == 0)
    #expect(file.bytes.text() == "")
  }

  @Test func aMissingFileSaysSo() {
    let path = "/nonexistent/model.gguf"
    #expect(throws: WeightsError.system(file: path, operation: .open, code: ENOENT)) {
      try MappedFile(path: path)
    }
    let error = WeightsError.system(file: path, operation: .open, code: ENOENT)
    #expect("\(error)" == "\(path) cannot be opened: no such file or directory.")
  }

  @Test func directoriesAndPipesAreRefused() throws {
    let directory = try ScratchDirectory()
    #expect(throws: WeightsError.invalid(file: directory.path, .notRegularFile)) {
      try MappedFile(path: directory.path)
    }
    let pipe = directory.path + "/pipe"
    let status = unsafe mkfifo(pipe, 0o600)
    #expect(status == 0)
    #expect(throws: WeightsError.invalid(file: pipe, .notRegularFile)) {
      try MappedFile(path: pipe)
    }
  }

  @Test func aChangedFileIsNoticed() throws {
    let directory = try ScratchDirectory()
    let path = try directory.write("f", Array(repeating: 1, count: 100))
    let file = try MappedFile(path: path)
    try file.checkUnchanged()
    let handle = try FileHandle(forUpdating: URL(filePath: path))
    try handle.truncate(atOffset: 40)
    try handle.close()
    #expect(
      throws: WeightsError.invalid(file: path, .changed(sizeBefore: 100, sizeNow: 40))
    ) { try file.checkUnchanged() }
  }
}
