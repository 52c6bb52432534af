// Four registers, taken through a calculation step by step: each step of one waits for the step before it, and
// the steps of the others fill the wait.

typealias FourLanes = (Lanes, Lanes, Lanes, Lanes)

@inline(__always)
func loadFour(_ source: UnsafePointer<Float>) -> FourLanes {
  (load(source), load(source + 16), load(source + 32), load(source + 48))
}

@inline(__always)
func storeFour(_ lanes: FourLanes, _ target: UnsafeMutablePointer<Float>) {
  store(lanes.0, target)
  store(lanes.1, target + 16)
  store(lanes.2, target + 32)
  store(lanes.3, target + 48)
}

/// The first `count` of 64 lanes from memory, +0 in the others; reads nothing beyond.
@inline(__always)
func loadFour(_ source: UnsafePointer<Float>, count: Int) -> FourLanes {
  guard count < 64 else { return loadFour(source) }
  return (
    load(source, count: within16(count)), load(source + 16, count: within16(count &- 16)),
    load(source + 32, count: within16(count &- 32)), load(source + 48, count: within16(count &- 48))
  )
}

/// Stores the first `count` of 64 lanes.
@inline(__always)
func storeFour(_ lanes: FourLanes, _ target: UnsafeMutablePointer<Float>, count: Int) {
  guard count < 64 else { return storeFour(lanes, target) }
  store(lanes.0, target, count: within16(count))
  store(lanes.1, target + 16, count: within16(count &- 16))
  store(lanes.2, target + 32, count: within16(count &- 32))
  store(lanes.3, target + 48, count: within16(count &- 48))
}

@inline(__always) func within16(_ count: Int) -> Int { count < 0 ? 0 : min16(count) }

@inline(__always)
func each(_ a: FourLanes, _ step: (Lanes) -> Lanes) -> FourLanes {
  (step(a.0), step(a.1), step(a.2), step(a.3))
}

@inline(__always)
func each(_ a: FourLanes, _ b: FourLanes, _ step: (Lanes, Lanes) -> Lanes) -> FourLanes {
  (step(a.0, b.0), step(a.1, b.1), step(a.2, b.2), step(a.3, b.3))
}
