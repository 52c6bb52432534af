// c[row][lane] += Σ a[row][k] · b[k][lane], k ascending, one multiplication and one addition each.
// Every sum is the same whatever rows and registers it is computed beside, and whether b is widened
// beforehand, so the sets may differ in that: it is only a question of how many sums fit the named
// registers, and of what widening costs.

typealias FourLanes = (Lanes, Lanes, Lanes, Lanes)

/// Up to four rows of floats.
typealias FourRows = (
  UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>
)

/// What lanes are loaded from: float32, or float16 by its bits.
protocol LaneElement {
  static func loadSixteen(_ source: UnsafePointer<Self>) -> Lanes
}

extension Float: LaneElement {
  @inline(__always) static func loadSixteen(_ source: UnsafePointer<Float>) -> Lanes {
    load(source)
  }
}

extension UInt16: LaneElement {
  @inline(__always) static func loadSixteen(_ source: UnsafePointer<UInt16>) -> Lanes {
    load(float16: source)
  }
}

/// Widens `count` float16, a multiple of 16.
func widen(_ source: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<Float>, count: Int) {
  var index = 0
  while index < count {
    store(load(float16: source + index), target + index)
    index &+= 16
  }
}

/// Adds to `rows` (1 to `productRows`) rows of c, `cStride` apart, 16 × `registers` lanes of each.
///
/// Row k of b begins `bStride` elements after the row before.
func addProducts<Element: LaneElement>(
  rows: Int, _ a: FourRows, count: Int, _ b: UnsafePointer<Element>, bStride: Int,
  _ c: UnsafeMutablePointer<Float>, cStride: Int, registers: Int
) {
  var register = 0
  while productRegisters == 4 && register &+ 4 <= registers {
    let b = b + register &* 16
    let c = c + register &* 16
    switch rows {
    case 4: addFourByFour(a, count, b, bStride, c, cStride)
    case 3: addThreeByFour(a, count, b, bStride, c, cStride)
    case 2: addTwoByFour(a, count, b, bStride, c, cStride)
    default: addOneByFour(a.0, count, b, bStride, c)
    }
    register &+= 4
  }
  while register < registers {
    let b = b + register &* 16
    let c = c + register &* 16
    if rows == 4 {
      addFourByOne(a, count, b, bStride, c, cStride)
    } else {
      addOneByOne(a.0, count, b, bStride, c)
      if rows > 1 {
        addOneByOne(a.1, count, b, bStride, c + cStride)
      }
      if rows > 2 {
        addOneByOne(a.2, count, b, bStride, c + 2 &* cStride)
      }
    }
    register &+= 1
  }
}

// MARK: Blocks of sums

@inline(__always)
func loadFour(_ source: UnsafePointer<Float>) -> FourLanes {
  (load(source), load(source + 16), load(source + 32), load(source + 48))
}

@inline(__always)
private func loadFour<Element: LaneElement>(from source: UnsafePointer<Element>) -> FourLanes {
  (
    Element.loadSixteen(source), Element.loadSixteen(source + 16),
    Element.loadSixteen(source + 32), Element.loadSixteen(source + 48)
  )
}

@inline(__always)
func storeFour(_ lanes: FourLanes, _ target: UnsafeMutablePointer<Float>) {
  store(lanes.0, target)
  store(lanes.1, target + 16)
  store(lanes.2, target + 32)
  store(lanes.3, target + 48)
}

@inline(__always)
func addProduct(_ sums: inout FourLanes, _ a: Float, _ b: FourLanes) {
  let a = splat(a)
  sums.0 = add(sums.0, multiply(a, b.0))
  sums.1 = add(sums.1, multiply(a, b.1))
  sums.2 = add(sums.2, multiply(a, b.2))
  sums.3 = add(sums.3, multiply(a, b.3))
}

private func addFourByFour<Element: LaneElement>(
  _ a: FourRows, _ count: Int, _ b: UnsafePointer<Element>, _ bStride: Int,
  _ c: UnsafeMutablePointer<Float>, _ cStride: Int
) {
  var sums0 = loadFour(c)
  var sums1 = loadFour(c + cStride)
  var sums2 = loadFour(c + 2 &* cStride)
  var sums3 = loadFour(c + 3 &* cStride)
  var k = 0
  while k < count {
    let row = loadFour(from: b + k &* bStride)
    addProduct(&sums0, a.0[k], row)
    addProduct(&sums1, a.1[k], row)
    addProduct(&sums2, a.2[k], row)
    addProduct(&sums3, a.3[k], row)
    k &+= 1
  }
  storeFour(sums0, c)
  storeFour(sums1, c + cStride)
  storeFour(sums2, c + 2 &* cStride)
  storeFour(sums3, c + 3 &* cStride)
}

private func addThreeByFour<Element: LaneElement>(
  _ a: FourRows, _ count: Int, _ b: UnsafePointer<Element>, _ bStride: Int,
  _ c: UnsafeMutablePointer<Float>, _ cStride: Int
) {
  var sums0 = loadFour(c)
  var sums1 = loadFour(c + cStride)
  var sums2 = loadFour(c + 2 &* cStride)
  var k = 0
  while k < count {
    let row = loadFour(from: b + k &* bStride)
    addProduct(&sums0, a.0[k], row)
    addProduct(&sums1, a.1[k], row)
    addProduct(&sums2, a.2[k], row)
    k &+= 1
  }
  storeFour(sums0, c)
  storeFour(sums1, c + cStride)
  storeFour(sums2, c + 2 &* cStride)
}

private func addTwoByFour<Element: LaneElement>(
  _ a: FourRows, _ count: Int, _ b: UnsafePointer<Element>, _ bStride: Int,
  _ c: UnsafeMutablePointer<Float>, _ cStride: Int
) {
  var sums0 = loadFour(c)
  var sums1 = loadFour(c + cStride)
  var k = 0
  while k < count {
    let row = loadFour(from: b + k &* bStride)
    addProduct(&sums0, a.0[k], row)
    addProduct(&sums1, a.1[k], row)
    k &+= 1
  }
  storeFour(sums0, c)
  storeFour(sums1, c + cStride)
}

private func addOneByFour<Element: LaneElement>(
  _ a: UnsafePointer<Float>, _ count: Int, _ b: UnsafePointer<Element>, _ bStride: Int,
  _ c: UnsafeMutablePointer<Float>
) {
  var sums = loadFour(c)
  var k = 0
  while k < count {
    addProduct(&sums, a[k], loadFour(from: b + k &* bStride))
    k &+= 1
  }
  storeFour(sums, c)
}

private func addFourByOne<Element: LaneElement>(
  _ a: FourRows, _ count: Int, _ b: UnsafePointer<Element>, _ bStride: Int,
  _ c: UnsafeMutablePointer<Float>, _ cStride: Int
) {
  var sums = (load(c), load(c + cStride), load(c + 2 &* cStride), load(c + 3 &* cStride))
  var k = 0
  while k < count {
    let row = Element.loadSixteen(b + k &* bStride)
    sums.0 = add(sums.0, multiply(splat(a.0[k]), row))
    sums.1 = add(sums.1, multiply(splat(a.1[k]), row))
    sums.2 = add(sums.2, multiply(splat(a.2[k]), row))
    sums.3 = add(sums.3, multiply(splat(a.3[k]), row))
    k &+= 1
  }
  store(sums.0, c)
  store(sums.1, c + cStride)
  store(sums.2, c + 2 &* cStride)
  store(sums.3, c + 3 &* cStride)
}

private func addOneByOne<Element: LaneElement>(
  _ a: UnsafePointer<Float>, _ count: Int, _ b: UnsafePointer<Element>, _ bStride: Int,
  _ c: UnsafeMutablePointer<Float>
) {
  var sums = load(c)
  var k = 0
  while k < count {
    sums = add(sums, multiply(splat(a[k]), Element.loadSixteen(b + k &* bStride)))
    k &+= 1
  }
  store(sums, c)
}
