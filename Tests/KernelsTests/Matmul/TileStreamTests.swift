import Foundation
import Kernels
import Synchronization
import Testing

/// Blocks as they would be in a file.
private final class MemorySink: TileSink {
  let bytes = Mutex<[Int: [UInt8]]>([:])
  let failsAt: Int?

  struct Full: Error {}

  init(failsAt: Int? = nil) {
    self.failsAt = failsAt
  }

  func write(_ block: Span<UInt8>, at offset: Int) throws {
    if offset == failsAt { throw Full() }
    let copy = block.indices.map { block[$0] }
    bytes.withLock { $0[offset] = copy }
  }

  /// All blocks, which must follow one another.
  func file() -> [UInt8] {
    let blocks = bytes.withLock { $0 }
    var file: [UInt8] = []
    for (offset, block) in blocks.sorted(by: { $0.key < $1.key }) {
      #expect(offset == file.count && offset % TileStream.blockByteCount == 0)
      file += block
    }
    return file
  }
}

/// Weights that go through a window into a file and are mapped from there.
@Suite struct TileStreamTests {
  private let compute: Compute

  init() throws {
    compute = try Compute(threads: 2)
  }

  /// Matrices of several forms, together larger than the window, one alone larger than it, and of sizes
  /// that are no multiple of anything.
  private static let sources: [MatmulSource] = [
    MatmulSource(
      rows: 5, columns: 32, format: .grouped(bits: 5, group: 32, scale: .float16, zero: .affine)),
    MatmulSource(
      rows: 33_005, columns: 1024,
      format: .grouped(bits: 8, group: 32, scale: .float16, zero: .symmetric(128))),
    MatmulSource(
      rows: 7, columns: 128, format: .grouped(bits: 1, group: 128, scale: .float16, zero: .signs)),
    MatmulSource(rows: 100, columns: 300, format: .dense(.bfloat16)),
    MatmulSource(rows: 300, columns: 512, format: .superblockSymmetric),
  ]

  private func product(_ matrix: PreparedMatrix) -> [UInt32] {
    let input = FloatRows(
      Slab(count: matrix.columns), offset: 0, rows: 1, columns: matrix.columns,
      stride: matrix.columns)
    for column in 0..<matrix.columns {
      input[0, column] = Float(column % 23) - 11
    }
    let output = FloatRows(
      Slab(count: matrix.rows), offset: 0, rows: 1, columns: matrix.rows, stride: matrix.rows)
    let activations = Activations(capacity: 1, columns: matrix.columns)
    compute.quantise(input, for: [matrix], into: activations, backend: .simd)
    compute.multiply([(matrix, output)].span, by: activations, backend: .simd)
    return output.elements(row: 0).map(\.bitPattern)
  }

  @Test func whatIsMappedIsWhatWasPrepared() throws {
    let sink = MemorySink()
    let stream = try TileStream(compute: compute, sink: sink)
    for source in Self.sources { try stream.append(source) }
    let checksums = try stream.finish()
    let file = sink.file()
    #expect(file.count == (try MappedTiles.byteCount(Self.sources)))
    #expect(file.count > TileStream.windowByteCount)

    let path = NSTemporaryDirectory() + "pipit-tiles-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(file).write(to: URL(filePath: path))
    let handle = try FileHandle(forReadingFrom: URL(filePath: path))
    let tiles = try #require(
      MappedTiles(file: handle.fileDescriptor, byteCount: file.count))
    #expect(tiles.checksums(compute: compute) == checksums)
    #expect(tiles.residentByteCount <= file.count)
    let mapped = try tiles.matrices(Self.sources)
    for (source, mapped) in zip(Self.sources, mapped) {
      let prepared = try PreparedMatrix.prepare(source, compute: compute)
      #expect(product(mapped) == product(prepared), "\(source.format)")
    }
  }

  /// How many threads take part changes nothing.
  @Test func theBytesDoNotDependOnThreads() throws {
    let sums = try [1, 3].map { threads in
      let stream = try TileStream(compute: Compute(threads: threads), sink: MemorySink())
      for source in Self.sources { try stream.append(source) }
      return try stream.finish()
    }
    #expect(sums[0] == sums[1])
  }

  @Test(arguments: [0, TileStream.blockByteCount])
  func aSinkThatFailsIsTold(offset: Int) throws {
    let stream = try TileStream(compute: compute, sink: MemorySink(failsAt: offset))
    #expect(throws: TileSinkFailure.self) {
      for source in Self.sources { try stream.append(source) }
      _ = try stream.finish()
    }
  }

  /// A model's own fault is not the sink's.
  @Test func numbersThatAreNotFiniteAreRefused() throws {
    var source = Self.sources[0]
    source.scales[1] = 0x7C
    let stream = try TileStream(compute: compute, sink: MemorySink())
    #expect(throws: MatrixError.self) { try stream.append(source) }
  }
}
