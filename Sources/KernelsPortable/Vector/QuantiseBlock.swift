import KernelTypes

// Quantising a complete block, once. Of each set of numbers that share a scale: b is the least of
// them, which is a float16 already; s = float16((greatest − least) · (1 / most)), most being the
// largest code; code = nearest-even((x − b) · (1 / s)), at most `most`, or 0 if s is 0.

/// Quantises one head's float16 keys (headDimension × 64) and values (64 × paddedDimension).
///
/// `scratch` has room for 2 · (paddedDimension rounded up to 64) floats.
package func quantiseBlock(
  keys: UnsafeRawPointer, values: UnsafeRawPointer, headDimension: Int, keyBits: Int,
  valueBits: Int, _ target: UnsafeMutableRawPointer, scratch: UnsafeMutablePointer<Float>
) {
  let layout = QuantisedLayout(
    headDimension: headDimension, keyBits: keyBits, valueBits: valueBits)
  let codes = target.assumingMemoryBound(to: UInt8.self)
  quantise(
    keys.assumingMemoryBound(to: UInt16.self), stride: 64, rows: headDimension, columns: 64,
    register: 0, of: 4,
    scales: target.assumingMemoryBound(to: UInt16.self),
    offsets: (target + layout.keyOffsets).assumingMemoryBound(to: UInt16.self),
    codes + layout.keys, codes, keyBits, scratch)
  let singles = codes + layout.singles
  var group = 0
  while group < layout.groups {
    let column = group &* 32
    let isLast = group == layout.groups &- 1
    let place = group &* 64 &* 2
    quantise(
      values.assumingMemoryBound(to: UInt16.self) + column,
      stride: layout.paddedDimension, rows: 64,
      columns: isLast ? headDimension &- column : 32, register: column / 16,
      of: layout.paddedDimension / 16,
      scales: (target + (layout.valueScales &+ place)).assumingMemoryBound(to: UInt16.self),
      offsets: (target + (layout.valueOffsets &+ place)).assumingMemoryBound(to: UInt16.self),
      codes + layout.values, singles, valueBits, scratch)
    group &+= 1
  }
}

/// Quantises rows that have a scale and an offset each, `stride` elements apart: the registers from
/// `firstRegister` on of those that the codes have.
private func quantise(
  _ source: UnsafePointer<UInt16>, stride: Int, rows: Int, columns: Int,
  register firstRegister: Int, of codeRegisters: Int, scales: UnsafeMutablePointer<UInt16>,
  offsets: UnsafeMutablePointer<UInt16>,
  _ codes: UnsafeMutablePointer<UInt8>, _ singles: UnsafeMutablePointer<UInt8>,
  _ width: Int, _ scratch: UnsafeMutablePointer<Float>
) {
  let most: Float = width == 8 ? 255 : 15
  let least = scratch
  let factors = scratch + (rows &+ 63) / 64 &* 64
  let registers = (columns &+ 15) / 16
  var row = 0
  while row < rows {
    var low = splat(.infinity)
    var high = splat(-.infinity)
    var register = 0
    while register < registers {
      // Beyond the last column there may be anything.
      let count = min16(columns &- register &* 16)
      let lanes = load(float16: source + (row &* stride &+ register &* 16))
      low = smaller(select(0, count, lanes, low), low)
      high = larger(select(0, count, lanes, high), high)
      register &+= 1
    }
    least[row] = 0 - largest(subtract(zeros(), low))
    factors[row] = largest(high)
    row &+= 1
  }
  row = 0
  while row < rows {
    let count = min16(rows &- row)
    let low = load(least + row, count: count)
    let range = subtract(load(factors + row, count: count), low)
    store(lowHalves: float16Bits(multiply(range, splat(1 / most))), scales + row)
    store(lowHalves: float16Bits(low), offsets + row)
    let scale = load(float16: scales + row)
    let factor = bits(divide(splat(1), scale))
    store(
      floats(selectLess(bits(scale), splat(1), splat(0), factor)), factors + row, count: count)
    row &+= 16
  }
  row = 0
  while row < rows {
    var register = 0
    while register < registers {
      let target = codes + place(row, firstRegister &+ register, codeRegisters, width)
      let source = source + (row &* stride &+ register &* 16)
      let first = code(of: source, least[row], factors[row], most)
      if width == 8 {
        store(lowBytes: first, target)
        register &+= 1
      } else if register &+ 1 < registers {
        let next = code(of: source + 16, least[row], factors[row], most)
        store(lowBytes: or(first, shiftLeft(next, 4)), target)
        register &+= 2
      } else {
        // The single register: odd positions take the high halves beside the even ones.
        if row & 1 != 0 {
          let even = code(of: source - stride, least[row &- 1], factors[row &- 1], most)
          store(lowBytes: or(even, shiftLeft(first, 4)), singles + row / 2 &* 16)
        }
        register &+= 1
      }
    }
    row &+= 1
  }
}

@inline(__always)
private func code(
  of source: UnsafePointer<UInt16>, _ least: Float, _ factor: Float, _ most: Float
) -> IntegerLanes {
  let scaled = multiply(subtract(load(float16: source), splat(least)), splat(factor))
  let bounded = larger(smaller(scaled, splat(most)), zeros())
  // Adding 1.5·2²³ leaves the whole number in the low bits.
  return subtract(bits(add(bounded, splat(0x1.8p23))), splat(0x4b40_0000))
}

/// Where the codes of a row and register are, the rows being those of one block.
@inline(__always)
private func place(_ row: Int, _ register: Int, _ registers: Int, _ width: Int) -> Int {
  let unit = register / 4
  let rest = registers &- unit &* 4
  let stride = QuantisedLayout.rowStride(registers: rest < 4 ? rest : 4, bits: width)
  let before = unit &* 64 &* 64 &+ register % 4 &* 16
  return before &* width / 8 &+ row &* stride
}
