/// The bits of the nearest float16 of each lane, ties to even, subnormals kept; NaN becomes the
/// quiet NaN.
@inline(__always) func float16Bits(_ lanes: Lanes) -> IntegerLanes {
  let all = bits(lanes)
  let sign = and(shiftRight(all, 16), splat(0x8000))
  let magnitude = and(all, splat(0x7fff_ffff))
  // Below 2⁻¹⁴ the addition of ½ rounds to the step of the subnormals, 2⁻²⁴.
  let subnormal = subtract(bits(add(floats(magnitude), splat(0.5))), splat(0x3f00_0000))
  // Otherwise: rebias the exponent, add just under half a step, and a bit more if odd.
  let odd = and(shiftRight(magnitude, 13), splat(1))
  let normal = shiftRight(add(add(magnitude, splat(0xfff - 112 << 23)), odd), 13)
  let finite = selectLess(magnitude, splat(0x3880_0000), subnormal, normal)
  let special = selectLess(splat(0x7f80_0000), magnitude, splat(0x7e00), splat(0x7c00))
  return or(sign, selectLess(magnitude, splat(0x4780_0000), finite, special))
}

/// Rounds float32 to float16 and stores them `stride` elements apart.
package func storeFloat16(
  _ source: UnsafePointer<Float>, count: Int, _ target: UnsafeMutablePointer<UInt16>, stride: Int
) {
  var index = 0
  while index < count {
    let lanes = min16(count &- index)
    let halves = float16Bits(load(source + index, count: lanes))
    if stride == 1 && lanes == 16 {
      store(lowHalves: halves, target + index)
    } else {
      var sixteen: SixteenHalves = (0, 0, 0, 0)
      scatter(halves, lanes, target + index &* stride, stride, &sixteen)
    }
    index &+= 16
  }
}

private typealias SixteenHalves = (UInt64, UInt64, UInt64, UInt64)

@inline(__always)
private func scatter(
  _ halves: IntegerLanes, _ count: Int, _ target: UnsafeMutablePointer<UInt16>, _ stride: Int,
  _ buffer: UnsafeMutablePointer<SixteenHalves>
) {
  let buffer = UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: UInt16.self)
  store(lowHalves: halves, buffer)
  var lane = 0
  while lane < count {
    target[lane &* stride] = buffer[lane]
    lane &+= 1
  }
}

/// At most the lanes of one register.
@inline(__always) func min16(_ count: Int) -> Int { count < 16 ? count : 16 }
