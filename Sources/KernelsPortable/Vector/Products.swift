// c[row][lane] += Σ a[row][k] · b[k][lane], k ascending, one multiplication and one addition each.
// Every sum is the same whatever rows and registers it is computed beside, so the sets may differ
// in that: it is only a question of how many sums fit the named registers.

typealias FourLanes = (Lanes, Lanes, Lanes, Lanes)

/// Up to four rows of floats.
typealias FourRows = (
  UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>
)

/// Row k of b, from register r on: one register or four of them.
typealias LoadLanes = (_ k: Int, _ r: Int) -> Lanes
typealias LoadFourLanes = (_ k: Int, _ r: Int) -> FourLanes

/// Adds to `rows` (1 to `productRows`) rows of c, `cStride` apart, 16 × `registers` lanes of each.
///
/// Row k of b (float16) begins `bStride` elements after the row before.
func addProducts(
  rows: Int, _ a: FourRows, count: Int, _ b: UnsafePointer<UInt16>, bStride: Int,
  _ c: UnsafeMutablePointer<Float>, cStride: Int, registers: Int
) {
  addProducts(
    rows, a, count, c, cStride, registers,
    { k, r in load(float16: b + (k &* bStride &+ r &* 16)) },
    { k, r in loadFour(float16: b + (k &* bStride &+ r &* 16)) })
}

/// The same for b in float32.
func addProducts(
  rows: Int, _ a: FourRows, count: Int, _ b: UnsafePointer<Float>, bStride: Int,
  _ c: UnsafeMutablePointer<Float>, cStride: Int, registers: Int
) {
  addProducts(
    rows, a, count, c, cStride, registers,
    { k, r in load(b + (k &* bStride &+ r &* 16)) },
    { k, r in loadFour(b + (k &* bStride &+ r &* 16)) })
}

/// The same for rows of b that closures unpack; they and all below are inlined.
@inline(__always)
func addProducts(
  _ rows: Int, _ a: FourRows, _ count: Int, _ c: UnsafeMutablePointer<Float>, _ cStride: Int,
  _ registers: Int, _ one: LoadLanes, _ four: LoadFourLanes
) {
  var register = 0
  while productRegisters == 4 && register &+ 4 <= registers {
    let c = c + register &* 16
    switch rows {
    case 4: addFourByFour(a, count, c, cStride, register, four)
    case 3: addThreeByFour(a, count, c, cStride, register, four)
    case 2: addTwoByFour(a, count, c, cStride, register, four)
    default: addOneByFour(a.0, count, c, register, four)
    }
    register &+= 4
  }
  while register < registers {
    let c = c + register &* 16
    if rows == 4 {
      addFourByOne(a, count, c, cStride, register, one)
    } else {
      addOneByOne(a.0, count, c, register, one)
      if rows > 1 {
        addOneByOne(a.1, count, c + cStride, register, one)
      }
      if rows > 2 {
        addOneByOne(a.2, count, c + 2 &* cStride, register, one)
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
private func loadFour(float16 source: UnsafePointer<UInt16>) -> FourLanes {
  (
    load(float16: source), load(float16: source + 16), load(float16: source + 32),
    load(float16: source + 48)
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

@inline(__always)
private func addFourByFour(
  _ a: FourRows, _ count: Int, _ c: UnsafeMutablePointer<Float>, _ cStride: Int,
  _ register: Int, _ row: LoadFourLanes
) {
  var sums0 = loadFour(c)
  var sums1 = loadFour(c + cStride)
  var sums2 = loadFour(c + 2 &* cStride)
  var sums3 = loadFour(c + 3 &* cStride)
  var k = 0
  while k < count {
    let row = row(k, register)
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

@inline(__always)
private func addThreeByFour(
  _ a: FourRows, _ count: Int, _ c: UnsafeMutablePointer<Float>, _ cStride: Int,
  _ register: Int, _ row: LoadFourLanes
) {
  var sums0 = loadFour(c)
  var sums1 = loadFour(c + cStride)
  var sums2 = loadFour(c + 2 &* cStride)
  var k = 0
  while k < count {
    let row = row(k, register)
    addProduct(&sums0, a.0[k], row)
    addProduct(&sums1, a.1[k], row)
    addProduct(&sums2, a.2[k], row)
    k &+= 1
  }
  storeFour(sums0, c)
  storeFour(sums1, c + cStride)
  storeFour(sums2, c + 2 &* cStride)
}

@inline(__always)
private func addTwoByFour(
  _ a: FourRows, _ count: Int, _ c: UnsafeMutablePointer<Float>, _ cStride: Int,
  _ register: Int, _ row: LoadFourLanes
) {
  var sums0 = loadFour(c)
  var sums1 = loadFour(c + cStride)
  var k = 0
  while k < count {
    let row = row(k, register)
    addProduct(&sums0, a.0[k], row)
    addProduct(&sums1, a.1[k], row)
    k &+= 1
  }
  storeFour(sums0, c)
  storeFour(sums1, c + cStride)
}

@inline(__always)
private func addOneByFour(
  _ a: UnsafePointer<Float>, _ count: Int, _ c: UnsafeMutablePointer<Float>,
  _ register: Int, _ row: LoadFourLanes
) {
  var sums = loadFour(c)
  var k = 0
  while k < count {
    addProduct(&sums, a[k], row(k, register))
    k &+= 1
  }
  storeFour(sums, c)
}

@inline(__always)
private func addFourByOne(
  _ a: FourRows, _ count: Int, _ c: UnsafeMutablePointer<Float>, _ cStride: Int,
  _ register: Int, _ row: LoadLanes
) {
  var sums = (load(c), load(c + cStride), load(c + 2 &* cStride), load(c + 3 &* cStride))
  var k = 0
  while k < count {
    let row = row(k, register)
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

@inline(__always)
private func addOneByOne(
  _ a: UnsafePointer<Float>, _ count: Int, _ c: UnsafeMutablePointer<Float>,
  _ register: Int, _ row: LoadLanes
) {
  var sums = load(c)
  var k = 0
  while k < count {
    sums = add(sums, multiply(splat(a[k]), row(k, register)))
    k &+= 1
  }
  store(sums, c)
}
