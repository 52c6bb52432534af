import KernelTypes

/// The vector operations of one instruction set, on pointers that the caller vouches for.
///
/// What each does is written in `KernelsPortable/Vector`.
@safe package struct VectorKernels: Sendable {
  typealias Source = UnsafePointer<Float>
  typealias Target = UnsafeMutablePointer<Float>
  typealias AttendBlock =
    @Sendable (
      _ tile: UnsafePointer<AttentionTile>, _ keys: UnsafeRawPointer,
      _ values: UnsafeRawPointer, _ start: Int
    ) -> Void

  var add: @Sendable (_ source: Source, _ target: Target, _ count: Int) -> Void
  var scale: @Sendable (_ x: Target, _ factor: Float, _ count: Int) -> Void
  var multiplySiLU: @Sendable (_ gate: Source, _ up: Source, _ target: Target, _ count: Int) -> Void
  var multiplyGELU: @Sendable (_ gate: Source, _ up: Source, _ target: Target, _ count: Int) -> Void
  var multiplySigmoid:
    @Sendable (_ gate: Source, _ x: Source, _ target: Target, _ count: Int) -> Void
  var exponentials: @Sendable (_ source: Source, _ target: Target, _ count: Int) -> Void
  var normalise:
    @Sendable (
      _ x: Source, _ weight: Source, _ epsilon: Float, _ target: Target, _ count: Int
    ) -> Void
  var normaliseLength:
    @Sendable (
      _ x: Source, _ epsilon: Float, _ scale: Float, _ target: Target, _ count: Int
    ) -> Void
  var rotate:
    @Sendable (
      _ x: Target, _ heads: Int, _ headDimension: Int, _ pairs: Int, _ cosines: Source,
      _ sines: Source
    ) -> Void
  var storeFloat16:
    @Sendable (
      _ source: Source, _ count: Int, _ target: UnsafeMutablePointer<UInt16>, _ stride: Int
    ) -> Void
  var storeFloat32:
    @Sendable (
      _ source: Source, _ count: Int, _ target: Target, _ stride: Int
    ) -> Void
  var attendFloat16Block: AttendBlock
  var attendFloat32Block: AttendBlock
  var attendQuantisedBlock: AttendBlock
  var quantiseBlock:
    @Sendable (
      _ keys: UnsafeRawPointer, _ values: UnsafeRawPointer, _ headDimension: Int, _ keyBits: Int,
      _ valueBits: Int, _ target: UnsafeMutableRawPointer, _ scratch: Target
    ) -> Void
  var mergeRows:
    @Sendable (
      _ block: AttentionSums, _ total: AttentionSums, _ count: Int, _ paddedDimension: Int,
      _ scratch: Target
    ) -> Void
  var finishAttention:
    @Sendable (_ output: Source, _ sum: Float, _ target: Target, _ count: Int) -> Void
  var convolve:
    @Sendable (
      _ x0: Source, _ x1: Source, _ x2: Source, _ x3: Source, _ weights: Source,
      _ weightStride: Int, _ target: Target, _ count: Int
    ) -> Void
  var applyDeltaRule: @Sendable (_ slice: UnsafePointer<DeltaRuleSlice>) -> Void
  var samplingWeights:
    @Sendable (
      _ x: Source, _ maximum: Double, _ temperature: Double,
      _ weights: UnsafeMutablePointer<Double>, _ count: Int
    ) -> Double
  var estimatedTotalWeight:
    @Sendable (
      _ x: Source, _ maximum: Double, _ scale: Double, _ count: Int
    ) -> Double
  var blockMaxima: @Sendable (_ x: Source, _ maxima: Target, _ count: Int) -> Bool
  var indexOfMaximum: @Sendable (_ x: Source, _ count: Int) -> Int
}

extension VectorKernels {
  init(_ instructionSet: InstructionSet) {
    #if arch(x86_64)
      switch instructionSet {
      case .gfni, .avx512: self = .avx512
      case .avxvnni, .avx2: self = .avx2
      case .portable: self = .portable
      }
    #else
      self = .portable
    #endif
  }
}
