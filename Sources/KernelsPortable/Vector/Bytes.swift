// Codes of quantised keys and values on their way to and from lanes; as with Lanes.swift, three files
// give the same functions for three instruction sets.

/// Sixteen bytes, widened.
@inline(__always) func load(bytes source: UnsafePointer<UInt8>) -> IntegerLanes {
  IntegerLanes(
    truncatingIfNeeded: UnsafeRawPointer(source).loadUnaligned(as: SIMD16<UInt8>.self))
}

/// The low bytes of the lanes, none of which is above 255.
@inline(__always)
func store(lowBytes lanes: IntegerLanes, _ target: UnsafeMutablePointer<UInt8>) {
  UnsafeMutableRawPointer(target).storeBytes(
    of: SIMD16<UInt8>(truncatingIfNeeded: lanes), as: SIMD16<UInt8>.self)
}

/// Whole numbers from 0 to 255 as floats: put below the exponent of 2²³, which is then taken off.
@inline(__always) func converted(_ lanes: IntegerLanes) -> Lanes {
  subtract(floats(or(lanes, splat(0x4b00_0000))), splat(0x1p23))
}

/// The low four bits of lanes as floats.
@inline(__always) func lowNibbles(_ lanes: IntegerLanes) -> Lanes {
  converted(and(lanes, splat(15)))
}
