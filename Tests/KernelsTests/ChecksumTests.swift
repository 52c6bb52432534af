import Kernels
import Testing

/// XXH64 against published sums, however the bytes are cut.
struct ChecksumTests {
  private static let sums: [(bytes: [UInt8], sum: UInt64)] = [
    ([], 0xEF46_DB37_51D8_E999),
    (Array("a".utf8), 0xD24E_C4F1_A98C_6E5B),
    (Array("abc".utf8), 0x44BC_2CF5_AD77_0999),
    (Array("Nobody inspects the spammish repetition".utf8), 0xFBCE_A83C_8A37_8BF1),
  ]

  @Test func publishedSums() {
    for (bytes, sum) in Self.sums {
      var checksum = Checksum()
      checksum.update(bytes.span)
      #expect(checksum.value == sum)
    }
  }

  @Test(arguments: [1, 3, 31, 32, 33, 64, 100])
  func cutsDoNotMatter(size: Int) {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 3) }
    var whole = Checksum()
    whole.update(bytes.span)
    var pieces = Checksum()
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = Array(bytes[start..<min(start + size, bytes.count)])
      pieces.update(piece.span)
    }
    #expect(pieces.value == whole.value)
  }
}
