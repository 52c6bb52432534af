import Kernels
import Transformers
import Weights

/// What one thread needs to convert a row after another.
final class RowWorker {
  /// The row's codes, or its numbers if it is not quantised.
  private var codes: [UInt8]
  private var scales: [UInt8] = []
  private var biases: [UInt8] = []
  private let source: any RowSource
  private let order: ExchangeTensor.ColumnOrder?
  private let type: ScaleType
  private let quantiser: RowQuantiser?
  private var row: UnpackedRow
  private var numbers: [Float]

  init(_ tensor: OutputTensor, _ source: any RowSource, _ order: ExchangeTensor.ColumnOrder?) {
    self.source = source
    self.order = order
    type = tensor.type
    row = UnpackedRow(format: source.format, columns: source.columns)
    numbers = Array(repeating: 0, count: source.columns)
    if let (bits, group) = tensor.form.packing {
      quantiser = RowQuantiser(tensor.form, type: tensor.type)
      codes = Array(repeating: 0, count: source.columns / 32 * 4 * bits)
      scales = Array(repeating: 0, count: source.columns / group * tensor.type.byteCount)
      biases = scales
    } else {
      quantiser = nil
      codes = Array(repeating: 0, count: source.columns * tensor.type.byteCount)
    }
  }

  /// Bytes of a row in each entry.
  var sizes: [Int] {
    quantiser == nil ? [codes.count] : [codes.count, scales.count, biases.count]
  }

  /// Puts the bytes of the row last converted into the entries' slabs, as their row `index`.
  func store(row index: Int, in slabs: [Slab<UInt8>]) {
    slabs[0].store(codes, at: index * codes.count)
    guard quantiser != nil else { return }
    slabs[1].store(scales, at: index * scales.count)
    slabs[2].store(biases, at: index * biases.count)
  }

  /// Reads a row, rounds it to the tensor's type and makes bytes of it.
  ///
  /// - Throws: ``GroupProblem``, or what the file's reader throws.
  func convert(row index: Int) throws {
    try row.unpack(source, row: index)
    read()
    for column in numbers.indices {
      let number = type.rounded(numbers[column])
      // What is infinite in the source is told apart below.
      if !number.isFinite, numbers[column].isFinite { throw GroupProblem.overflow(group: 0) }
      numbers[column] = number
    }
    if let quantiser {
      try Self.quantise(numbers, by: quantiser, &codes, &scales, &biases)
    } else {
      guard numbers.allSatisfy(\.isFinite) else { throw GroupProblem.notFinite(group: 0) }
      Self.store(numbers, type, in: &codes)
    }
  }

  private func read() {
    Self.copyValues(row, to: &numbers)
    guard let order else { return }
    let ordered = numbers
    for (index, from) in order.map.enumerated() {
      for column in 0..<order.block {
        numbers[index * order.block + column] = ordered[from * order.block + column]
      }
    }
  }

  // A span of a property of a class may not outlive the access to it; of a parameter it may.
  private static func copyValues(_ row: UnpackedRow, to numbers: inout [Float]) {
    var span = numbers.mutableSpan
    row.copyValues(to: &span)
  }

  private static func store(_ numbers: [Float], _ type: ScaleType, in bytes: inout [UInt8]) {
    var span = bytes.mutableSpan
    for column in numbers.indices { span.store(numbers[column], type, at: column) }
  }

  private static func quantise(
    _ numbers: [Float], by quantiser: RowQuantiser, _ codes: inout [UInt8],
    _ scales: inout [UInt8], _ biases: inout [UInt8]
  ) throws(GroupProblem) {
    var codeSpan = codes.mutableSpan
    var scaleSpan = scales.mutableSpan
    var biasSpan = biases.mutableSpan
    try quantiser.quantise(
      numbers.span, codes: &codeSpan, scales: &scaleSpan, biases: &biasSpan)
  }
}
