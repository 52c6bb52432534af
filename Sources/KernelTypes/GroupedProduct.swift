/// How the scales of a prepared matrix are stored.
package enum ScaleStorage: UInt8, Sendable {
  case float16, bfloat16, float32
  /// Per 256 inputs a float16 and 8-bit factors: one unsigned per 32 inputs in affine matrices
  /// (Q4_K, Q5_K), one signed per 16 in the symmetric one (Q6_K).
  case superblock
}

/// Quantised activations of some tokens, in blocks of `lanes` tokens (1 or 8).
///
/// Inside a block the tokens of one step, group or sum lie together, so that a kernel for eight
/// tokens walks one pointer. A single token uses blocks of one and is contiguous.
package struct QuantisedInput {
  package var lanes: Int
  /// Inputs per token, a multiple of 32.
  package var columns: Int
  /// Inputs per scale: 16 or 32.
  package var group: Int
  /// (block, columns / 4, lane, 4) int8.
  package var codes: UnsafeMutablePointer<Int8>
  /// (block, columns / group, lane): s_x.
  package var scales: UnsafeMutablePointer<Float>
  /// (block, columns / group, lane): Σq.
  package var sums: UnsafeMutablePointer<Int32>

  package init(
    lanes: Int, columns: Int, group: Int, codes: UnsafeMutablePointer<Int8>,
    scales: UnsafeMutablePointer<Float>, sums: UnsafeMutablePointer<Int32>
  ) {
    self.lanes = lanes
    self.columns = columns
    self.group = group
    self.codes = codes
    self.scales = scales
    self.sums = sums
  }
}

/// The tiles of a grouped matrix.
///
/// A tile of 16 rows is a sequence of chunks of some groups, and a chunk holds their scales, offsets
/// (affine only) and codes, the codes 64-byte aligned: a product reads a tile from its first byte to
/// its last, which is the only order that the hardware's prefetching follows at full speed. Scales and
/// offsets are (group, row); the codes are (block of 32 inputs, planes), as the portable `TileCodes`
/// describes.
package struct GroupedTiles {
  package var bits: Int
  /// Inputs per weight group: 16, 32, 64 or 128.
  package var group: Int
  package var scaleStorage: ScaleStorage
  package var isAffine: Bool
  /// Whether a 1-bit code u stands for 2u − 1.
  package var isSigns: Bool
  package var tiles: UnsafeRawPointer
  package var tileStride: Int
  /// Groups of a chunk; the last chunk of a tile may have fewer.
  package var chunkGroups: Int
  /// Bytes from the start of a chunk to its offsets, its codes and the next chunk.
  package var offsetsSection: Int
  package var codesSection: Int
  package var chunkStride: Int
  package var rows: Int
  package var columns: Int

  package init(
    bits: Int, group: Int, scaleStorage: ScaleStorage, isAffine: Bool, isSigns: Bool,
    tiles: UnsafeRawPointer, tileStride: Int, chunkGroups: Int, offsetsSection: Int,
    codesSection: Int, chunkStride: Int, rows: Int, columns: Int
  ) {
    self.bits = bits
    self.group = group
    self.scaleStorage = scaleStorage
    self.isAffine = isAffine
    self.isSigns = isSigns
    self.tiles = tiles
    self.tileStride = tileStride
    self.chunkGroups = chunkGroups
    self.offsetsSection = offsetsSection
    self.codesSection = codesSection
    self.chunkStride = chunkStride
    self.rows = rows
    self.columns = columns
  }
}

/// One product of a grouped matrix with quantised activations: everything a kernel needs to
/// compute any of its tiles.
package struct GroupedProduct {
  package var matrix: GroupedTiles
  package var input: QuantisedInput
  /// Symmetric matrices: (block, columns / input.group, lane): −z·Σq.
  package var zeroTerms: UnsafePointer<Int32>
  /// Affine matrices: (block, columns / matrix.group, lane): Σ s_x·Σq over the weight group.
  package var groupSums: UnsafePointer<Float>
  package var tokens: Int
  /// (token, row), `outputStride` elements between tokens.
  package var output: UnsafeMutablePointer<Float>
  package var outputStride: Int
  /// Whether the product is added to what the output holds.
  package var adds: Bool
  /// Which quantisation the input is of, if sums of it are to be looked up in tables that each worker
  /// keeps from one product with it to the next; else 0.
  package var stamp: UInt64 = 0

  /// `zeroTerms` or `groupSums` may point to anything if the matrix does not need them.
  package init(
    matrix: GroupedTiles, input: QuantisedInput, zeroTerms: UnsafePointer<Int32>,
    groupSums: UnsafePointer<Float>, tokens: Int, output: UnsafeMutablePointer<Float>,
    outputStride: Int, adds: Bool
  ) {
    self.matrix = matrix
    self.input = input
    self.zeroTerms = zeroTerms
    self.groupSums = groupSums
    self.tokens = tokens
    self.output = output
    self.outputStride = outputStride
    self.adds = adds
  }
}
