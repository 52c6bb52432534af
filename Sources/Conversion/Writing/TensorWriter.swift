import Kernels
import Synchronization
import Transformers
import Weights

/// Writes one tensor of the converted model.
struct TensorWriter {
  private let tensor: OutputTensor
  private let file: SafetensorsWriter
  private let pool: ThreadPool
  private let cancellation: CancellationFlag

  /// Numbers that are worked on at a time, by all threads together.
  private static let chunk = 1 << 21

  init(
    _ tensor: OutputTensor, file: SafetensorsWriter, pool: ThreadPool,
    cancellation: CancellationFlag
  ) {
    self.tensor = tensor
    self.file = file
    self.pool = pool
    self.cancellation = cancellation
  }

  /// Writes all rows; `progress` is called with those that are done.
  ///
  /// - Throws: ``ConversionError``, `ArchiveError`, or what is wrong with the source.
  func write(progress: (_ rows: Int) -> Void) throws {
    switch tensor.source.content {
    case .numbers(let make):
      if cancellation.isCancelled { throw ConversionError.cancelled }
      try writePlain(try make())
      progress(tensor.rows)
    case .rows(let source, let order):
      try writeRows(source, order, progress: progress)
    }
  }

  private func writePlain(_ numbers: [Float]) throws {
    let type = tensor.type
    var bytes = [UInt8](repeating: 0, count: numbers.count * type.byteCount)
    var target = bytes.mutableSpan
    for index in numbers.indices {
      let number = type.rounded(numbers[index])
      guard number.isFinite else { throw overflow(row: 0) }
      target.store(number, type, at: index)
    }
    try file.write(bytes.span, to: tensor.source.name, at: 0)
  }

  private func writeRows(
    _ source: any RowSource, _ order: ExchangeTensor.ColumnOrder?,
    progress: (_ rows: Int) -> Void
  ) throws {
    let chunkRows = max(1, min(source.rows, Self.chunk / tensor.columns))
    let workers = (0..<pool.threads).map { _ in RowWorker(tensor, source, order) }
    let entries = tensor.entries
    let sizes = workers[0].sizes
    let parts = sizes.map { Slab<UInt8>(count: $0 * chunkRows) }
    // The first row that fails, whichever thread comes upon one first.
    let failure = Mutex<(row: Int, error: any Error)?>(nil)
    for first in stride(from: 0, to: source.rows, by: chunkRows) {
      if cancellation.isCancelled { throw ConversionError.cancelled }
      let rows = first..<min(first + chunkRows, source.rows)
      pool.run(rows.count, grain: 4) { item, worker in
        do {
          try workers[worker].convert(row: first + item)
          workers[worker].store(row: item, in: parts)
        } catch {
          failure.withLock { found in
            if found.map({ first + item < $0.row }) ?? true { found = (first + item, error) }
          }
        }
      }
      if let (row, error) = failure.withLock({ $0 }) { throw described(error, row: row) }
      for (index, entry) in entries.enumerated() {
        try parts[index].withPrefix(rows.count * sizes[index]) { bytes in
          try file.write(bytes, to: entry.name, at: first * sizes[index])
        }
      }
      source.release(rows: rows)
      progress(rows.count)
    }
  }

  private func described(_ error: any Error, row: Int) -> any Error {
    let name = tensor.source.name
    guard let problem = error as? GroupProblem else { return error }
    return switch problem {
    case .notFinite: ConversionError.notFinite(tensor: name, row: row)
    case .overflow: overflow(row: row)
    case .notTernary(let group, let size, let other):
      ConversionError.notTernary(tensor: name, row: row, group: group, size: size, other: other)
    }
  }

  private func overflow(row: Int) -> ConversionError {
    .overflow(tensor: tensor.source.name, row: row, type: tensor.type.name)
  }
}
