// c[row][lane] += Σ a[row][k] · b[k][lane], k ascending, one multiplication and one addition each.
// Every sum is the same whatever rows and registers it is computed beside, so the sets may differ
// in that: it is only a question of how many sums fit the named registers.

/// Up to four rows of floats.
typealias FourRows = (
  UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>
)

/// Row k of b, from register r on: one register or four of them.
typealias LoadLanes = (_ k: Int, _ r: Int) -> Lanes
typealias LoadFourLanes = (_ k: Int, _ r: Int) -> FourLanes

/// Adds to `rows` (1 to `productRows`) rows of c, `cStride` apart, 16 × `registers` lanes of each, or to
/// zero if this `starts` the sums.
///
/// Row k of b (float16) begins `bStride` elements after the row before.
@inline(never)
func addProducts(
  rows: Int, _ a: FourRows, count: Int, _ b: UnsafePointer<UInt16>, bStride: Int,
  _ c: UnsafeMutablePointer<Float>, cStride: Int, registers: Int, starts: Bool
) {
  addProducts(
    rows, a, count, c, cStride, registers, starts,
    { k, r in load(float16: b + (k &* bStride &+ r &* 16)) },
    { k, r in
      // Read for few rows only, so memory sets the pace, and the hardware's own prefetching begins
      // anew at every page.
      let row = b + (k &* bStride &+ r &* 16)
      prefetch(row + 1_024)
      prefetch(row + 1_056)
      return loadFour(float16: row)
    })
}

/// The same for b in float32.
@inline(never)
func addProducts(
  rows: Int, _ a: FourRows, count: Int, _ b: UnsafePointer<Float>, bStride: Int,
  _ c: UnsafeMutablePointer<Float>, cStride: Int, registers: Int, starts: Bool
) {
  addProducts(
    rows, a, count, c, cStride, registers, starts,
    { k, r in load(b + (k &* bStride &+ r &* 16)) },
    { k, r in loadFour(b + (k &* bStride &+ r &* 16)) })
}

/// The same for rows of b that closures unpack; they and all below are inlined.
///
/// Of every four registers, the last two take their factors from `second` elements further on in
/// the rows of a.
@inline(__always)
func addProducts(
  _ rows: Int, _ a: FourRows, second: Int = 0, _ count: Int, _ c: UnsafeMutablePointer<Float>,
  _ cStride: Int, _ registers: Int, _ starts: Bool, _ one: LoadLanes, _ four: LoadFourLanes
) {
  if productRows == 1 && starts {
    clear(rows, c, cStride, registers)
  }
  // With few registers to name, the compiler spills sums that begin in two ways.
  let starts = productRows > 1 && starts
  var register = 0
  // One pass over rows of b rather than one over each half of them.
  while productRegisters == 4 && productRows == 4 && rows <= 2 && register &+ 8 <= registers {
    let c = c + register &* 16
    if rows == 2 {
      addTwoByEight(a, second, count, c, cStride, register, starts, four)
    } else {
      addOneByEight(a.0, second, count, c, register, starts, four)
    }
    register &+= 8
  }
  while productRegisters == 4 && register &+ 4 <= registers {
    let c = c + register &* 16
    switch rows {
    case 4: addFourByFour(a, second, count, c, cStride, register, starts, four)
    case 3: addThreeByFour(a, second, count, c, cStride, register, starts, four)
    case 2: addTwoByFour(a, second, count, c, cStride, register, starts, four)
    default: addOneByFour(a.0, second, count, c, register, starts, four)
    }
    register &+= 4
  }
  while register < registers {
    let c = c + register &* 16
    let a = register & 2 == 0 ? a : (a.0 + second, a.1 + second, a.2 + second, a.3 + second)
    if rows == 4 {
      addFourByOne(a, count, c, cStride, register, starts, one)
    } else {
      addOneByOne(a.0, count, c, register, starts, one)
      if rows > 1 {
        addOneByOne(a.1, count, c + cStride, register, starts, one)
      }
      if rows > 2 {
        addOneByOne(a.2, count, c + 2 &* cStride, register, starts, one)
      }
    }
    register &+= 1
  }
}

@inline(__always)
private func clear(
  _ rows: Int, _ c: UnsafeMutablePointer<Float>, _ cStride: Int, _ registers: Int
) {
  var row = 0
  while row < rows {
    var register = 0
    while register < registers {
      store(zeros(), c + (row &* cStride &+ register &* 16))
      register &+= 1
    }
    row &+= 1
  }
}

// MARK: Blocks of sums

@inline(__always)
func loadFour(float16 source: UnsafePointer<UInt16>) -> FourLanes {
  (
    load(float16: source), load(float16: source + 16), load(float16: source + 32),
    load(float16: source + 48)
  )
}

/// The sums so far.
@inline(__always)
private func begin(_ source: UnsafePointer<Float>, _ starts: Bool) -> FourLanes {
  starts ? (zeros(), zeros(), zeros(), zeros()) : loadFour(source)
}

@inline(__always)
private func addProduct(
  _ sums: inout FourLanes, _ a: UnsafePointer<Float>, _ second: Int, _ b: FourLanes
) {
  sums.0 = add(sums.0, multiply(broadcast: a, b.0))
  sums.1 = add(sums.1, multiply(broadcast: a, b.1))
  sums.2 = add(sums.2, multiply(broadcast: a + second, b.2))
  sums.3 = add(sums.3, multiply(broadcast: a + second, b.3))
}

@inline(__always)
private func addFourByFour(
  _ a: FourRows, _ second: Int, _ count: Int, _ c: UnsafeMutablePointer<Float>, _ cStride: Int,
  _ register: Int, _ starts: Bool, _ row: LoadFourLanes
) {
  var sums0 = begin(c, starts)
  var sums1 = begin(c + cStride, starts)
  var sums2 = begin(c + 2 &* cStride, starts)
  var sums3 = begin(c + 3 &* cStride, starts)
  var k = 0
  while k < count {
    let row = row(k, register)
    addProduct(&sums0, a.0 + k, second, row)
    addProduct(&sums1, a.1 + k, second, row)
    addProduct(&sums2, a.2 + k, second, row)
    addProduct(&sums3, a.3 + k, second, row)
    k &+= 1
  }
  storeFour(sums0, c)
  storeFour(sums1, c + cStride)
  storeFour(sums2, c + 2 &* cStride)
  storeFour(sums3, c + 3 &* cStride)
}

@inline(__always)
private func addThreeByFour(
  _ a: FourRows, _ second: Int, _ count: Int, _ c: UnsafeMutablePointer<Float>, _ cStride: Int,
  _ register: Int, _ starts: Bool, _ row: LoadFourLanes
) {
  var sums0 = begin(c, starts)
  var sums1 = begin(c + cStride, starts)
  var sums2 = begin(c + 2 &* cStride, starts)
  var k = 0
  while k < count {
    let row = row(k, register)
    addProduct(&sums0, a.0 + k, second, row)
    addProduct(&sums1, a.1 + k, second, row)
    addProduct(&sums2, a.2 + k, second, row)
    k &+= 1
  }
  storeFour(sums0, c)
  storeFour(sums1, c + cStride)
  storeFour(sums2, c + 2 &* cStride)
}

@inline(__always)
private func addTwoByFour(
  _ a: FourRows, _ second: Int, _ count: Int, _ c: UnsafeMutablePointer<Float>, _ cStride: Int,
  _ register: Int, _ starts: Bool, _ row: LoadFourLanes
) {
  var sums0 = begin(c, starts)
  var sums1 = begin(c + cStride, starts)
  var k = 0
  while k < count {
    let row = row(k, register)
    addProduct(&sums0, a.0 + k, second, row)
    addProduct(&sums1, a.1 + k, second, row)
    k &+= 1
  }
  storeFour(sums0, c)
  storeFour(sums1, c + cStride)
}

@inline(__always)
private func addTwoByEight(
  _ a: FourRows, _ second: Int, _ count: Int, _ c: UnsafeMutablePointer<Float>, _ cStride: Int,
  _ register: Int, _ starts: Bool, _ row: LoadFourLanes
) {
  var sums0 = begin(c, starts)
  var sums1 = begin(c + cStride, starts)
  var more0 = begin(c + 64, starts)
  var more1 = begin(c + cStride + 64, starts)
  var k = 0
  while k < count {
    let low = row(k, register)
    addProduct(&sums0, a.0 + k, second, low)
    addProduct(&sums1, a.1 + k, second, low)
    let high = row(k, register &+ 4)
    addProduct(&more0, a.0 + k, second, high)
    addProduct(&more1, a.1 + k, second, high)
    k &+= 1
  }
  storeFour(sums0, c)
  storeFour(sums1, c + cStride)
  storeFour(more0, c + 64)
  storeFour(more1, c + cStride + 64)
}

@inline(__always)
private func addOneByEight(
  _ a: UnsafePointer<Float>, _ second: Int, _ count: Int, _ c: UnsafeMutablePointer<Float>,
  _ register: Int, _ starts: Bool, _ row: LoadFourLanes
) {
  var sums = begin(c, starts)
  var more = begin(c + 64, starts)
  var k = 0
  while k < count {
    addProduct(&sums, a + k, second, row(k, register))
    addProduct(&more, a + k, second, row(k, register &+ 4))
    k &+= 1
  }
  storeFour(sums, c)
  storeFour(more, c + 64)
}

@inline(__always)
private func addOneByFour(
  _ a: UnsafePointer<Float>, _ second: Int, _ count: Int, _ c: UnsafeMutablePointer<Float>,
  _ register: Int, _ starts: Bool, _ row: LoadFourLanes
) {
  var sums = begin(c, starts)
  var k = 0
  while k < count {
    addProduct(&sums, a + k, second, row(k, register))
    k &+= 1
  }
  storeFour(sums, c)
}

@inline(__always)
private func addFourByOne(
  _ a: FourRows, _ count: Int, _ c: UnsafeMutablePointer<Float>, _ cStride: Int,
  _ register: Int, _ starts: Bool, _ row: LoadLanes
) {
  var sums = (zeros(), zeros(), zeros(), zeros())
  if !starts {
    sums = (load(c), load(c + cStride), load(c + 2 &* cStride), load(c + 3 &* cStride))
  }
  var k = 0
  while k < count {
    let row = row(k, register)
    sums.0 = add(sums.0, multiply(broadcast: a.0 + k, row))
    sums.1 = add(sums.1, multiply(broadcast: a.1 + k, row))
    sums.2 = add(sums.2, multiply(broadcast: a.2 + k, row))
    sums.3 = add(sums.3, multiply(broadcast: a.3 + k, row))
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
  _ register: Int, _ starts: Bool, _ row: LoadLanes
) {
  var sums = starts ? zeros() : load(c)
  var k = 0
  while k < count {
    sums = add(sums, multiply(broadcast: a + k, row(k, register)))
    k &+= 1
  }
  store(sums, c)
}
