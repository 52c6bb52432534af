import Kernels
import Testing

/// Formats that reach every kernel: each width, group and kind of zero and scale.
private let formats: [MatrixFormat] = {
  var formats: [MatrixFormat] = []
  for bits in [1, 2, 3, 4, 5, 6, 8] {
    for group in [16, 32, 64, 128] {
      for scale in [ScaleType.float16, .bfloat16, .float32] {
        formats.append(.grouped(bits: bits, group: group, scale: scale, zero: .affine))
        formats.append(
          .grouped(bits: bits, group: group, scale: scale, zero: .symmetric(1 << (bits - 1))))
        if bits == 1 {
          formats.append(.grouped(bits: 1, group: group, scale: scale, zero: .signs))
        }
      }
    }
  }
  return formats + [.superblockAffine(bits: 4), .superblockAffine(bits: 5), .superblockSymmetric]
    + [.dense(.float16), .dense(.bfloat16), .dense(.float32)]
}()

/// The sets that this processor can run.
private let computes: [Compute] = InstructionSet.allCases.compactMap { set in
  guard set.isSupported else {
    print("skipped: this processor does not have \(set.rawValue)")
    return nil
  }
  return try? Compute(threads: 1, instructionSet: set)
}

/// Activations of several magnitudes.
private func activations(_ count: Int, seed: UInt64) -> [Float] {
  var random = MatmulRandom(seed: seed)
  return (0..<count).map { _ in
    Float.random(in: -1...1, using: &random)
      * Float(sign: .plus, exponent: Int.random(in: -6...4, using: &random), significand: 1)
  }
}

/// The product of one matrix with some tokens, from a buffer whose rows are misaligned.
private func multiply(
  _ source: MatmulSource, _ x: [[Float]], on compute: Compute, backend: MatmulBackend = .simd,
  mode: MultiplyMode = .store, initial: Float = 0
) throws -> [[Float]] {
  let matrix = try PreparedMatrix.prepare(source, compute: compute)
  let stride = source.columns + 3
  let input = FloatRows(
    Slab(count: 1 + x.count * stride), offset: 1, rows: x.count, columns: source.columns,
    stride: stride)
  for (token, row) in x.enumerated() {
    for (column, value) in row.enumerated() {
      input[token, column] = value
    }
  }
  // A margin on every side shows a store that leaves its rows.
  let outputStride = source.rows + 5
  let slab = Slab<Float>(count: (x.count + 2) * outputStride)
  for index in 0..<slab.count {
    slab[index] = initial
  }
  let output = FloatRows(
    slab, offset: outputStride + 3, rows: x.count, columns: source.rows, stride: outputStride)
  let scratch = Activations(capacity: x.count, columns: source.columns)
  compute.quantise(input, for: [matrix], into: scratch, backend: backend)
  compute.multiply([(matrix, output)].span, by: scratch, mode: mode, backend: backend)
  for index in 0..<slab.count {
    let column = (index + outputStride * 4 - 3) % outputStride
    let row = (index - 3) / outputStride - 1
    if column >= source.rows || row < 0 || row >= x.count {
      #expect(slab[index] == initial, "element \(index) was written")
    }
  }
  return (0..<x.count).map { output.elements(row: $0) }
}

private func isSame(_ a: [Float], _ b: [Float]) -> Bool {
  a.count == b.count
    && zip(a, b).allSatisfy { $0.bitPattern == $1.bitPattern || ($0.isNaN && $1.isNaN) }
}

@Suite struct MatmulTests {
  @Test(arguments: formats)
  func everySetGivesTheBitsOfTheRules(_ format: MatrixFormat) throws {
    // Dense rows may have any width; super-blocks are 256 wide.
    let columns =
      switch format {
      case .dense: [7, 21]
      case .grouped(_, let group, _, _): [max(group, 32), max(group, 32) * 3, 1_152]
      case .superblockAffine, .superblockSymmetric: [256, 512, 1_024]
      }
    for columns in columns {
      for (index, rows) in [33, 17, 16, 15, 1].enumerated() {
        let source = MatmulSource(
          rows: rows, columns: columns, format: format, seed: UInt64(index))
        let x = (0..<[1, 2, 5, 9, 17][index]).map { activations(columns, seed: UInt64($0)) }
        let expected = x.map(source.product)
        for compute in computes {
          let found = try multiply(source, x, on: compute)
          for token in x.indices {
            #expect(
              isSame(found[token], expected[token]),
              "\(compute.kernels.instructionSet) \(rows) × \(columns), token \(token)")
          }
        }
      }
    }
  }

  /// From 512 rows and 1,024 columns on some sets look sums of the inputs up in tables.
  @Test(
    arguments: formats.filter { $0.bits == 1 }, [(512, 1_024), (523, 1_152), (1_041, 1_280)])
  func oneBitOfManyRowsGivesTheBitsOfTheRules(_ format: MatrixFormat, shape: (Int, Int)) throws {
    let source = MatmulSource(rows: shape.0, columns: shape.1, format: format, seed: 3)
    let x = activations(shape.1, seed: 4)
    let loud = x.map { $0 < 0 ? -7 : 7 as Float }
    for x in [x, loud] {
      let expected = source.product(x)
      for compute in computes {
        let found = try multiply(source, [x], on: compute)
        #expect(isSame(found[0], expected), "\(compute.kernels.instructionSet)")
      }
    }
  }

  @Test func tablesAreOfTheInputAtHand() throws {
    let format = MatrixFormat.grouped(bits: 1, group: 128, scale: .float16, zero: .signs)
    let sources = [2, 5].map {
      MatmulSource(rows: 600, columns: 1_024, format: format, seed: $0)
    }
    let compute = try Compute(threads: 3)
    let matrices = try sources.map { try PreparedMatrix.prepare($0, compute: compute) }
    let scratch = Activations(capacity: 1, columns: 1_024)
    let input = FloatRows(Slab(count: 1_024), rows: 1, columns: 1_024)
    let output = FloatRows(Slab(count: 600), rows: 1, columns: 600)
    for token in 0..<6 {
      let x = activations(1_024, seed: UInt64(token))
      for (column, value) in x.enumerated() { input[0, column] = value }
      compute.quantise(input, for: matrices, into: scratch, backend: .simd)
      for (matrix, source) in zip(matrices, sources) {
        compute.multiply([(matrix, output)].span, by: scratch, backend: .simd)
        #expect(isSame(output.elements(row: 0), source.product(x)))
      }
    }
  }

  @Test(arguments: 1...9)
  func manyTokensGiveTheBitsOfOne(_ tokens: Int) throws {
    for format in [
      MatrixFormat.superblockAffine(bits: 4), .superblockSymmetric, .dense(.float16),
      .grouped(bits: 8, group: 64, scale: .float16, zero: .symmetric(128)),
    ] {
      for columns in [512, 1_024] {
        let source = MatmulSource(rows: 50, columns: columns, format: format)
        let x = (0..<tokens).map { activations(columns, seed: UInt64($0)) }
        for compute in computes {
          let together = try multiply(source, x, on: compute)
          for token in x.indices {
            let alone = try multiply(source, [x[token]], on: compute)
            #expect(isSame(together[token], alone[0]))
          }
        }
      }
    }
  }

  @Test(arguments: formats, [256, 1_024])
  func extremesAreExact(_ format: MatrixFormat, columns: Int) throws {
    let source = MatmulSource(rows: 17, columns: columns, format: format, extreme: true)
    let x = [
      [Float](repeating: 3, count: columns), [Float](repeating: -3, count: columns),
      (0..<columns).map { $0 % 2 == 0 ? 1 : -1 },
    ]
    let expected = x.map(source.product)
    for compute in computes {
      let found = try multiply(source, x, on: compute)
      #expect(isSame(found[0], expected[0]))
      #expect(isSame(found[1], expected[1]))
      #expect(isSame(found[2], expected[2]))
    }
  }

  @Test(arguments: [
    Float.nan, .infinity, -.infinity, .leastNonzeroMagnitude, 0, -0.0, .greatestFiniteMagnitude,
    7e-31, 8e-31,
  ])
  func unusualActivationsNeverTrap(_ value: Float) throws {
    for format in [
      MatrixFormat.grouped(bits: 4, group: 32, scale: .float16, zero: .symmetric(8)),
      .grouped(bits: 1, group: 128, scale: .float16, zero: .affine), .superblockSymmetric,
    ] {
      let source = MatmulSource(rows: 20, columns: 256, format: format)
      var x = activations(256, seed: 3)
      x[7] = value
      x.replaceSubrange(64..<128, with: repeatElement(value, count: 64))
      for compute in computes {
        let found = try multiply(source, [x, x], on: compute)
        #expect(isSame(found[0], source.product(x)))
        #expect(isSame(found[1], found[0]))
        if !value.isFinite {
          let finite = found[0].filter(\.isFinite)
          #expect(finite.isEmpty)
        }
      }
    }
  }

  @Test func addingKeepsWhatIsThere() throws {
    for format in [
      MatrixFormat.grouped(bits: 4, group: 32, scale: .float16, zero: .symmetric(8)),
      .dense(.float32),
    ] {
      let source = MatmulSource(rows: 21, columns: 64, format: format)
      for tokens in [1, 3] {
        let x = (0..<tokens).map { activations(64, seed: UInt64($0)) }
        for compute in computes {
          let found = try multiply(source, x, on: compute, mode: .add, initial: 0.25)
          for token in x.indices {
            #expect(isSame(found[token], source.product(x[token]).map { 0.25 + $0 }))
          }
        }
      }
    }
  }

  @Test(arguments: formats)
  func rowsAreLookedUpExactly(_ format: MatrixFormat) throws {
    let source = MatmulSource(rows: 19, columns: 256, format: format)
    let compute = try #require(computes.last)
    let matrix = try PreparedMatrix.prepare(source, compute: compute)
    let output = FloatRows(Slab(count: 512), rows: 2, columns: 256)
    for row in [0, 5, 15, 16, 18] {
      compute.lookUp(matrix, row: row, into: output, outRow: 1)
      #expect(isSame(output.elements(row: 1), (0..<256).map { source.weight(row, $0) }))
    }
  }

  @Test(arguments: formats)
  func preparedMatricesAreNoFatter(_ format: MatrixFormat) throws {
    let source = MatmulSource(rows: 32, columns: 1_536, format: format)
    let bytes = try PreparedMatrix.byteCount(rows: 32, columns: 1_536, format: format)
    #expect(Double(bytes) <= Double(source.sourceByteCount) * 1.03)
  }

  @Test(arguments: formats)
  func blasIsCloseToTheTruth(_ format: MatrixFormat) throws {
    let source = MatmulSource(rows: 18, columns: 256, format: format)
    let x = (0..<2).map { activations(256, seed: UInt64($0)) }
    let compute = try #require(computes.first)
    for tokens in [1, 2] {
      let found = try multiply(source, Array(x.prefix(tokens)), on: compute, backend: .blas)
      for token in 0..<tokens {
        for row in 0..<18 {
          var truth = 0.0
          var size = 0.0
          for column in 0..<256 {
            let product = Double(source.weight(row, column)) * Double(x[token][column])
            truth += product
            size += product.magnitude
          }
          #expect((Double(found[token][row]) - truth).magnitude <= size * 2e-6)
        }
      }
    }
  }

  @Test func threadsDoNotChangeBits() throws {
    let compute = try #require(computes.first)
    for format in [
      MatrixFormat.grouped(bits: 5, group: 32, scale: .float16, zero: .affine), .dense(.bfloat16),
    ] {
      let source = MatmulSource(rows: 700, columns: 256, format: format)
      for tokens in [1, 9] {
        let x = (0..<tokens).map { activations(256, seed: UInt64($0)) }
        let alone = try multiply(source, x, on: compute)
        for threads in [2, 3] {
          let many = try Compute(
            threads: threads, instructionSet: compute.kernels.instructionSet)
          let found = try multiply(source, x, on: many)
          #expect(zip(found, alone).allSatisfy(isSame))
        }
      }
    }
  }

  @Test func severalProductsShareOneRegion() throws {
    let compute = try Compute(threads: 2)
    let formats: [MatrixFormat] = [
      .superblockAffine(bits: 4), .superblockSymmetric, .dense(.float32),
      .grouped(bits: 8, group: 32, scale: .float16, zero: .symmetric(128)),
    ]
    let sources = formats.enumerated().map { index, format in
      MatmulSource(rows: 40 + index * 30, columns: 256, format: format)
    }
    let matrices = try sources.map { try PreparedMatrix.prepare($0, compute: compute) }
    let scratch = Activations(capacity: 4, columns: 256)
    for tokens in [4, 1] {
      let x = (0..<tokens).map { activations(256, seed: UInt64($0)) }
      let input = FloatRows(Slab(x.flatMap { $0 }), rows: tokens, columns: 256)
      let outputs = sources.map {
        FloatRows(Slab(count: tokens * $0.rows), rows: tokens, columns: $0.rows)
      }
      compute.quantise(input, for: matrices, into: scratch, backend: .simd)
      compute.multiply(Array(zip(matrices, outputs)).span, by: scratch, backend: .simd)
      for (source, output) in zip(sources, outputs) {
        for token in 0..<tokens {
          #expect(isSame(output.elements(row: token), source.product(x[token])))
        }
      }
    }
  }

  @Test(arguments: formats)
  func valuesThatAreNotFiniteAreRefused(_ format: MatrixFormat) throws {
    var source = MatmulSource(rows: 20, columns: 256, format: format)
    let rowBytes = source.scales.count / 20
    let type: ScaleType =
      switch format {
      case .grouped(_, _, let type, _), .dense(let type): type
      default: .float16
      }
    source.scales.replaceSubrange(
      17 * rowBytes..<17 * rowBytes + type.byteCount, with: MatmulSource.bytes(.infinity, type))
    let compute = try #require(computes.first)
    #expect(throws: MatrixError.notFinite(name: "invented", row: 17, group: 0)) {
      try PreparedMatrix.prepare(source, compute: compute)
    }
  }

  @Test func unsupportedShapesAreRefusedWithNumbers() {
    let format = MatrixFormat.grouped(bits: 4, group: 64, scale: .float16, zero: .affine)
    #expect(
      throws: MatrixError.unsupportedShape(name: "", rows: 4, columns: 96, multiple: 64)
    ) {
      try PreparedMatrix.byteCount(rows: 4, columns: 96, format: format)
    }
    let seven = MatrixFormat.grouped(bits: 7, group: 64, scale: .float16, zero: .affine)
    #expect(throws: MatrixError.unsupportedFormat(name: "", seven)) {
      try PreparedMatrix.byteCount(rows: 4, columns: 64, format: seven)
    }
    #expect(throws: MatrixError.self) {
      try PreparedMatrix.byteCount(rows: .max, columns: 64, format: format)
    }
  }
}
