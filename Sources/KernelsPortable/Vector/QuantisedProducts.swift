// Products with codes as they are: their scales are in the factors, see QuantisedAttention.swift.

/// How far ahead codes are fetched: the hardware's own prefetching begins anew at every page.
private let bytesAhead = 2_048

/// Adds Σ a[row][k] · code[k][lane] to `registers` registers of each row of c, or to zero if this `starts`
/// them; eight-bit codes.
@inline(never)
func addProducts8(
  rows: Int, _ a: FourRows, second: Int, count: Int, _ codes: UnsafePointer<UInt8>, stride: Int,
  _ c: UnsafeMutablePointer<Float>, cStride: Int, registers: Int, starts: Bool
) {
  addProducts(
    rows, a, second: second, count, c, cStride, registers, starts,
    { k, r in converted(load(bytes: codes + (k &* stride &+ r &* 16))) },
    { k, r in
      let codes = codes + (k &* stride &+ r &* 16)
      prefetch(codes + bytesAhead)
      return (
        converted(load(bytes: codes)), converted(load(bytes: codes + 16)),
        converted(load(bytes: codes + 32)), converted(load(bytes: codes + 48))
      )
    })
}

/// The same for four-bit codes, two registers in 16 bytes, from register `first` on.
@inline(never)
func addProducts4(
  rows: Int, _ a: FourRows, second: Int, count: Int, _ codes: UnsafePointer<UInt8>, stride: Int,
  first: Int, _ c: UnsafeMutablePointer<Float>, cStride: Int, registers: Int, starts: Bool
) {
  addProducts(
    rows, a, second: second, count, c, cStride, registers, starts,
    { k, r in
      let register = first &+ r
      let pair = load(bytes: codes + (k &* stride &+ register / 2 &* 16))
      return register & 1 == 0 ? lowNibbles(pair) : converted(shiftRight(pair, 4))
    },
    { k, r in
      let codes = codes + (k &* stride &+ (first &+ r) / 2 &* 16)
      prefetch(codes + bytesAhead)
      let low = load(bytes: codes)
      let high = load(bytes: codes + 16)
      return (
        lowNibbles(low), lowNibbles(shiftRight(low, 4)),
        lowNibbles(high), lowNibbles(shiftRight(high, 4))
      )
    })
}

/// The same for the single register of four-bit values: positions from `first` on, two in 16 bytes.
@inline(never)
func addSingleProducts4(
  rows: Int, _ a: FourRows, first: Int, count: Int, _ codes: UnsafePointer<UInt8>,
  _ c: UnsafeMutablePointer<Float>, cStride: Int, starts: Bool
) {
  addProducts(
    rows, a, count, c, cStride, 1, starts,
    { k, _ in
      let position = first &+ k
      let pair = load(bytes: codes + position / 2 &* 16)
      return lowNibbles(shiftRight(pair, UInt32(truncatingIfNeeded: position & 1) &* 4))
    },
    { _, _ in (zeros(), zeros(), zeros(), zeros()) })
}
