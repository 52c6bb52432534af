package import KernelTypes

// Per token: S ← g·S; u = S·k; δ = β·(v − u); S ← S + δ·kᵀ; o = S·q. A lane is a value row, sums go
// over the key dimension ascending from +0. The last pass of a token and the first of the next
// touch the same elements and are one loop.

/// Takes a slice of a head through the tokens of a chunk.
package func applyDeltaRule(_ slice: UnsafePointer<DeltaRuleSlice>) {
  let tokens = slice.pointee.tokens
  let stride = slice.pointee.inputStride
  guard tokens > 0 else { return }
  var keys = slice.pointee.keys
  var queries = slice.pointee.queries
  var values = slice.pointee.values
  var reads = decayAndRead(slice, keys)
  var token = 0
  while token < tokens {
    let step = splat(slice.pointee.steps[token &* slice.pointee.gateStride])
    let change = scaledDifference(loadFour(values, slice.pointee.lanes), reads, step)
    let outputs: FourLanes
    if token &+ 1 < tokens {
      (outputs, reads) = writeAndReadNext(
        slice, change, queries, keys, keys + stride,
        slice.pointee.decays[(token &+ 1) &* slice.pointee.gateStride])
    } else {
      outputs = write(slice, change, queries, keys)
    }
    storeFour(
      outputs, slice.pointee.outputs + token &* slice.pointee.outputStride, slice.pointee.lanes)
    keys += stride
    queries += stride
    values += stride
    token &+= 1
  }
}

/// S ← g·S and u = S·k for the first token.
@inline(__always)
private func decayAndRead(
  _ slice: UnsafePointer<DeltaRuleSlice>, _ keys: UnsafePointer<Float>
) -> FourLanes {
  let decay = splat(slice.pointee.decays[0])
  var reads = (zeros(), zeros(), zeros(), zeros())
  var state = slice.pointee.state
  var k = 0
  while k < slice.pointee.keyDimension {
    let decayed = scaled(loadFour(state), decay)
    storeFour(decayed, state)
    addProduct(&reads, keys[k], decayed)
    state += slice.pointee.stateStride
    k &+= 1
  }
  return reads
}

/// S ← S + δ·kᵀ and o = S·q, then S ← g·S and u = S·k with the next token's g and k.
@inline(__always)
private func writeAndReadNext(
  _ slice: UnsafePointer<DeltaRuleSlice>, _ change: FourLanes, _ queries: UnsafePointer<Float>,
  _ keys: UnsafePointer<Float>, _ nextKeys: UnsafePointer<Float>, _ nextDecay: Float
) -> (outputs: FourLanes, reads: FourLanes) {
  let decay = splat(nextDecay)
  var outputs = (zeros(), zeros(), zeros(), zeros())
  var reads = outputs
  var state = slice.pointee.state
  var k = 0
  while k < slice.pointee.keyDimension {
    var written = loadFour(state)
    addProduct(&written, keys[k], change)
    addProduct(&outputs, queries[k], written)
    let decayed = scaled(written, decay)
    storeFour(decayed, state)
    addProduct(&reads, nextKeys[k], decayed)
    state += slice.pointee.stateStride
    k &+= 1
  }
  return (outputs, reads)
}

/// S ← S + δ·kᵀ and o = S·q for the last token.
@inline(__always)
private func write(
  _ slice: UnsafePointer<DeltaRuleSlice>, _ change: FourLanes, _ queries: UnsafePointer<Float>,
  _ keys: UnsafePointer<Float>
) -> FourLanes {
  var outputs = (zeros(), zeros(), zeros(), zeros())
  var state = slice.pointee.state
  var k = 0
  while k < slice.pointee.keyDimension {
    var written = loadFour(state)
    addProduct(&written, keys[k], change)
    storeFour(written, state)
    addProduct(&outputs, queries[k], written)
    state += slice.pointee.stateStride
    k &+= 1
  }
  return outputs
}

@inline(__always) private func scaled(_ lanes: FourLanes, _ factor: Lanes) -> FourLanes {
  (
    multiply(lanes.0, factor), multiply(lanes.1, factor), multiply(lanes.2, factor),
    multiply(lanes.3, factor)
  )
}

/// (a − b) · factor.
@inline(__always)
private func scaledDifference(_ a: FourLanes, _ b: FourLanes, _ factor: Lanes) -> FourLanes {
  (
    multiply(subtract(a.0, b.0), factor), multiply(subtract(a.1, b.1), factor),
    multiply(subtract(a.2, b.2), factor), multiply(subtract(a.3, b.3), factor)
  )
}

/// The first `count` of 64 lanes from memory, +0 in the others.
@inline(__always)
private func loadFour(_ source: UnsafePointer<Float>, _ count: Int) -> FourLanes {
  guard count < 64 else { return loadFour(source) }
  return (
    load(source, count: within16(count)), load(source + 16, count: within16(count &- 16)),
    load(source + 32, count: within16(count &- 32)),
    load(source + 48, count: within16(count &- 48))
  )
}

@inline(__always)
private func storeFour(_ lanes: FourLanes, _ target: UnsafeMutablePointer<Float>, _ count: Int) {
  guard count < 64 else { return storeFour(lanes, target) }
  store(lanes.0, target, count: within16(count))
  store(lanes.1, target + 16, count: within16(count &- 16))
  store(lanes.2, target + 32, count: within16(count &- 32))
  store(lanes.3, target + 48, count: within16(count &- 48))
}

@inline(__always) private func within16(_ count: Int) -> Int {
  count < 0 ? 0 : min16(count)
}
