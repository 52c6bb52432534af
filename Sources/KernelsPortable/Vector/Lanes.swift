// Sixteen lanes. The three files of this name give the same functions for three instruction sets;
// everything else in the folders is one source, linked from KernelsPortable. This set is compiled
// for the baseline processor, so the library's SIMD types are no hazard here.

typealias Lanes = SIMD16<Float>
typealias IntegerLanes = SIMD16<Int32>

/// Rows × registers of a product that the sixteen named registers hold.
@inline(__always) var productRows: Int { 4 }
@inline(__always) var productRegisters: Int { 1 }

/// Rows from which widening float16 once for all of them is faster.
@inline(__always) var rowsWorthWidening: Int { 5 }

// MARK: Memory

/// A hint that the other sets give the processor.
@inline(__always) func prefetch(_ address: UnsafeRawPointer) {}

@inline(__always) func load(_ source: UnsafePointer<Float>) -> Lanes {
  UnsafeRawPointer(source).loadUnaligned(as: Lanes.self)
}

/// The first `count` (0 to 16) lanes from memory, +0 in the others; reads nothing beyond.
@inline(__always) func load(_ source: UnsafePointer<Float>, count: Int) -> Lanes {
  guard count < 16 else { return load(source) }
  var lanes = Lanes(repeating: 0)
  var lane = 0
  while lane < count {
    lanes[lane] = source[lane]
    lane &+= 1
  }
  return lanes
}

@inline(__always) func store(_ lanes: Lanes, _ target: UnsafeMutablePointer<Float>) {
  UnsafeMutableRawPointer(target).storeBytes(of: lanes, as: Lanes.self)
}

/// Stores the first `count` (0 to 16) lanes.
@inline(__always)
func store(_ values: Lanes, _ target: UnsafeMutablePointer<Float>, count: Int) {
  guard count < 16 else { return store(values, target) }
  var lane = 0
  while lane < count {
    target[lane] = values[lane]
    lane &+= 1
  }
}

/// Sixteen float16, widened.
///
/// Moved to float32's places, a float16 is 2¹¹² times too small, subnormal or not; an exponent of
/// all ones goes on to be all ones.
@inline(__always) func load(float16 source: UnsafePointer<UInt16>) -> Lanes {
  // Written out, because the library's conversion is a call.
  let wide = IntegerLanes(
    Int32(source[0]), Int32(source[1]), Int32(source[2]), Int32(source[3]),
    Int32(source[4]), Int32(source[5]), Int32(source[6]), Int32(source[7]),
    Int32(source[8]), Int32(source[9]), Int32(source[10]), Int32(source[11]),
    Int32(source[12]), Int32(source[13]), Int32(source[14]), Int32(source[15]))
  let sign = shiftLeft(and(wide, splat(0x8000)), 16)
  let magnitude = shiftLeft(and(wide, splat(0x7fff)), 13)
  let scaled = bits(multiply(floats(magnitude), splat(0x1p112)))
  let special = or(magnitude, splat(0x7f80_0000))
  return floats(or(sign, selectLess(magnitude, splat(0x0f80_0000), scaled, special)))
}

/// The low halves of the lanes.
@inline(__always)
func store(lowHalves lanes: IntegerLanes, _ target: UnsafeMutablePointer<UInt16>) {
  var lane = 0
  while lane < 16 {
    target[lane] = UInt16(truncatingIfNeeded: lanes[lane])
    lane &+= 1
  }
}

// MARK: Arithmetic

@inline(__always) func splat(_ value: Float) -> Lanes { Lanes(repeating: value) }
@inline(__always) func zeros() -> Lanes { Lanes(repeating: 0) }
@inline(__always) func add(_ a: Lanes, _ b: Lanes) -> Lanes { a + b }
@inline(__always) func subtract(_ a: Lanes, _ b: Lanes) -> Lanes { a - b }
@inline(__always) func multiply(_ a: Lanes, _ b: Lanes) -> Lanes { a * b }

/// Every lane of b times the one float in memory.
@inline(__always) func multiply(broadcast a: UnsafePointer<Float>, _ b: Lanes) -> Lanes {
  multiply(splat(a.pointee), b)
}

@inline(__always) func divide(_ a: Lanes, _ b: Lanes) -> Lanes { a / b }

/// a > b ? a : b, so b if either is NaN.
@inline(__always) func larger(_ a: Lanes, _ b: Lanes) -> Lanes {
  b.replacing(with: a, where: a .> b)
}

/// a < b ? a : b, so b if either is NaN.
@inline(__always) func smaller(_ a: Lanes, _ b: Lanes) -> Lanes {
  b.replacing(with: a, where: a .< b)
}

/// Lanes `first..<end` of a, the others of b.
@inline(__always)
func select(_ first: Int, _ end: Int, _ a: Lanes, _ b: Lanes) -> Lanes {
  let index = IntegerLanes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  let inside =
    (index .>= Int32(truncatingIfNeeded: first)) .& (index .< Int32(truncatingIfNeeded: end))
  return b.replacing(with: a, where: inside)
}

/// x · 2ⁿ for a whole n from −252 to 254 and an x near 1, rounded once.
@inline(__always) func scaled(_ x: Lanes, byPowerOf2 n: Lanes) -> Lanes {
  scaledInHalves(x, byPowerOf2: n)
}

// MARK: Integers and bits

@inline(__always) func splat(_ value: Int32) -> IntegerLanes { IntegerLanes(repeating: value) }

@inline(__always) func bits(_ lanes: Lanes) -> IntegerLanes {
  unsafeBitCast(lanes, to: IntegerLanes.self)
}

@inline(__always) func floats(_ lanes: IntegerLanes) -> Lanes {
  unsafeBitCast(lanes, to: Lanes.self)
}

@inline(__always) func add(_ a: IntegerLanes, _ b: IntegerLanes) -> IntegerLanes { a &+ b }
@inline(__always) func subtract(_ a: IntegerLanes, _ b: IntegerLanes) -> IntegerLanes { a &- b }
@inline(__always) func and(_ a: IntegerLanes, _ b: IntegerLanes) -> IntegerLanes { a & b }
@inline(__always) func or(_ a: IntegerLanes, _ b: IntegerLanes) -> IntegerLanes { a | b }

@inline(__always) func shiftLeft(_ a: IntegerLanes, _ count: UInt32) -> IntegerLanes {
  a &<< Int32(truncatingIfNeeded: count)
}

@inline(__always) func shiftRight(_ a: IntegerLanes, _ count: UInt32) -> IntegerLanes {
  unsafeBitCast(unsafeBitCast(a, to: SIMD16<UInt32>.self) &>> count, to: IntegerLanes.self)
}

/// Fills with the sign.
@inline(__always) func shiftRightSigned(_ a: IntegerLanes, _ count: UInt32) -> IntegerLanes {
  a &>> Int32(truncatingIfNeeded: count)
}

/// a < b ? x : y, for a and b whose difference does not overflow.
@inline(__always)
func selectLess(
  _ a: IntegerLanes, _ b: IntegerLanes, _ x: IntegerLanes, _ y: IntegerLanes
) -> IntegerLanes {
  y.replacing(with: x, where: a .< b)
}

// MARK: Across lanes

/// The sum of all lanes: +8, then +4, +2, +1.
@inline(__always) func sum(_ lanes: Lanes) -> Float {
  let eight = lanes.lowHalf + lanes.highHalf
  let four = eight.lowHalf + eight.highHalf
  let two = four.lowHalf + four.highHalf
  return two[0] + two[1]
}

/// The largest of all lanes, in the order of `sum`.
@inline(__always) func largest(_ lanes: Lanes) -> Float {
  let eight = lanes.lowHalf.replacing(
    with: lanes.highHalf, where: .!(lanes.lowHalf .> lanes.highHalf))
  let four = eight.lowHalf.replacing(
    with: eight.highHalf, where: .!(eight.lowHalf .> eight.highHalf))
  let two = four.lowHalf.replacing(with: four.highHalf, where: .!(four.lowHalf .> four.highHalf))
  return two[0] > two[1] ? two[0] : two[1]
}
