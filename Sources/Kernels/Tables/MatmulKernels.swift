import CMachine
import KernelTypes
import KernelsAVX2
import KernelsAVX512
import KernelsAVX512VL
import KernelsAVXVNNI
import KernelsGFNI
import KernelsPortable

/// The products and the quantisation of one instruction set.
@safe package struct MatmulKernels: Sendable {
  /// Quantises one token.
  let quantise: @Sendable (UnsafePointer<QuantiseJob>, _ token: Int) -> Void
  /// Computes `count` tiles from `first`, with `count` panels of scratch.
  let grouped:
    @Sendable (
      UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int, UnsafeMutableRawPointer
    ) -> Void
  let dense: @Sendable (UnsafePointer<DenseProduct>, _ first: Int, _ count: Int) -> Void
  /// Bytes of the tables in which a worker looks up sums of so many inputs, for matrices of one bit
  /// times one token; nil where that is not done.
  let bitSumsByteCount: (@Sendable (_ columns: Int) -> Int)?

  /// Reads memory, for a measure of its speed.
  let readMemory: @Sendable (UnsafeRawPointer, _ byteCount: Int) -> UInt64

  init(_ instructionSet: InstructionSet) {
    switch instructionSet {
    #if arch(x86_64)
      case .gfni:
        unsafe quantise = KernelsAVX512.quantise
        unsafe grouped = KernelsGFNI.multiplyGrouped
        bitSumsByteCount = KernelsAVX512.bitSumsByteCount(columns:)
        unsafe dense = KernelsAVX512.multiplyDense
        unsafe readMemory = KernelsAVX512.readMemory
      case .avx512:
        unsafe quantise = KernelsAVX512.quantise
        unsafe grouped = KernelsAVX512.multiplyGrouped
        bitSumsByteCount = KernelsAVX512.bitSumsByteCount(columns:)
        unsafe dense = KernelsAVX512.multiplyDense
        unsafe readMemory = KernelsAVX512.readMemory
      case .avxvnni:
        unsafe quantise = KernelsAVX2.quantise
        unsafe grouped =
          pipit_has_avxvnni() != 0
          ? KernelsAVXVNNI.multiplyGrouped : KernelsAVX512VL.multiplyGrouped
        bitSumsByteCount = nil
        unsafe dense = KernelsAVX2.multiplyDense
        unsafe readMemory = KernelsAVX2.readMemory
      case .avx2:
        unsafe quantise = KernelsAVX2.quantise
        unsafe grouped = KernelsAVX2.multiplyGrouped
        bitSumsByteCount = nil
        unsafe dense = KernelsAVX2.multiplyDense
        unsafe readMemory = KernelsAVX2.readMemory
    #endif
    default:
      unsafe quantise = KernelsPortable.quantise
      unsafe grouped = KernelsPortable.multiplyGrouped
      bitSumsByteCount = nil
      unsafe dense = KernelsPortable.multiplyDense
      unsafe readMemory = KernelsPortable.readMemory
    }
  }
}
