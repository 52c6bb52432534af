/// How a GGUF file stores the elements of a tensor: blocks of so many elements in so many bytes.
package struct GGUFEncoding: Sendable, Hashable {
  /// ggml's name of the type.
  package let name: String
  /// Elements of a block.
  package let block: Int
  /// Bytes of a block.
  package let blockByteCount: Int
  /// How Pipit computes with it; nil if it cannot.
  package let layout: GGUFLayout?

  init(_ name: String, _ block: Int, _ byteCount: Int, _ layout: GGUFLayout? = nil) {
    self.name = name
    self.block = block
    blockByteCount = byteCount
    self.layout = layout
  }

  /// Bytes of `count` elements, a multiple of `block`; nil if that is no Int.
  func byteCount(elements count: Int) -> Int? {
    let (bytes, overflow) = (count / block).multipliedReportingOverflow(by: blockByteCount)
    return overflow ? nil : bytes
  }
}

/// The block layouts that Pipit unpacks; one file each in `Formats/`.
package enum GGUFLayout: Sendable, Hashable {
  case f32, f16, bf16
  case q4_0, q4_1, q5_0, q5_1, q8_0
  case q4_K, q5_K, q6_K
  /// One sign bit per weight in groups of so many.
  case q1_0(group: Int)
  /// Two bits per weight in groups of so many.
  case q2_0(group: Int)
}

extension GGUFEncoding {
  /// What a type id may mean, most usual first; empty if it is unknown.
  ///
  /// Ids 40 and 42 name two layouts each: PrismML published files before upstream gave these
  /// numbers away. They differ in size, which decides (`GGUFFile.resolve`).
  package static func candidates(id: UInt32) -> [GGUFEncoding] {
    switch id {
    case 0: [.init("F32", 1, 4, .f32)]
    case 1: [.init("F16", 1, 2, .f16)]
    case 2: [.init("Q4_0", 32, 18, .q4_0)]
    case 3: [.init("Q4_1", 32, 20, .q4_1)]
    case 6: [.init("Q5_0", 32, 22, .q5_0)]
    case 7: [.init("Q5_1", 32, 24, .q5_1)]
    case 8: [.init("Q8_0", 32, 34, .q8_0)]
    case 9: [.init("Q8_1", 32, 36)]
    case 10: [.init("Q2_K", 256, 84)]
    case 11: [.init("Q3_K", 256, 110)]
    case 12: [.init("Q4_K", 256, 144, .q4_K)]
    case 13: [.init("Q5_K", 256, 176, .q5_K)]
    case 14: [.init("Q6_K", 256, 210, .q6_K)]
    case 15: [.init("Q8_K", 256, 292)]
    case 16: [.init("IQ2_XXS", 256, 66)]
    case 17: [.init("IQ2_XS", 256, 74)]
    case 18: [.init("IQ3_XXS", 256, 98)]
    case 19: [.init("IQ1_S", 256, 50)]
    case 20: [.init("IQ4_NL", 32, 18)]
    case 21: [.init("IQ3_S", 256, 110)]
    case 22: [.init("IQ2_S", 256, 82)]
    case 23: [.init("IQ4_XS", 256, 136)]
    case 24: [.init("I8", 1, 1)]
    case 25: [.init("I16", 1, 2)]
    case 26: [.init("I32", 1, 4)]
    case 27: [.init("I64", 1, 8)]
    case 28: [.init("F64", 1, 8)]
    case 29: [.init("IQ1_M", 256, 56)]
    case 30: [.init("BF16", 1, 2, .bf16)]
    case 34: [.init("TQ1_0", 256, 54)]
    case 35: [.init("TQ2_0", 256, 66)]
    case 39: [.init("MXFP4", 32, 17)]
    case 40: [.init("NVFP4", 64, 36), .init("Q1_0", 32, 6, .q1_0(group: 32))]
    case 41: [.init("Q1_0", 128, 18, .q1_0(group: 128))]
    case 42: [.init("Q2_0", 64, 18, .q2_0(group: 64)), .init("Q2_0", 128, 34, .q2_0(group: 128))]
    case 142: [.init("PQ2_0", 128, 34, .q2_0(group: 128))]
    case 143: [.init("PTQ1_0", 128, 28)]
    default: []
    }
  }
}
