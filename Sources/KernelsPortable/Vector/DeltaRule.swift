package import KernelTypes

/// The value rows of a slice.
private typealias TwoLanes = (Lanes, Lanes)

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
    let change = scaledDifference(loadTwo(values, slice.pointee.lanes), reads, step)
    let outputs: TwoLanes
    if token &+ 1 < tokens {
      (outputs, reads) = writeAndReadNext(
        slice, change, queries, keys, keys + stride,
        slice.pointee.decays[(token &+ 1) &* slice.pointee.gateStride])
    } else {
      outputs = write(slice, change, queries, keys)
    }
    storeTwo(
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
) -> TwoLanes {
  let decay = splat(slice.pointee.decays[0])
  var reads = (zeros(), zeros())
  var state = slice.pointee.state
  var k = 0
  while k < slice.pointee.keyDimension {
    let decayed = scaled(loadTwo(state), decay)
    storeTwo(decayed, state)
    addTwoProducts(&reads, keys + k, decayed)
    state += 32
    k &+= 1
  }
  return reads
}

/// S ← S + δ·kᵀ and o = S·q, then S ← g·S and u = S·k with the next token's g and k.
@inline(__always)
private func writeAndReadNext(
  _ slice: UnsafePointer<DeltaRuleSlice>, _ change: TwoLanes, _ queries: UnsafePointer<Float>,
  _ keys: UnsafePointer<Float>, _ nextKeys: UnsafePointer<Float>, _ nextDecay: Float
) -> (outputs: TwoLanes, reads: TwoLanes) {
  let decay = splat(nextDecay)
  var outputs = (zeros(), zeros())
  var reads = outputs
  var state = slice.pointee.state
  var k = 0
  while k < slice.pointee.keyDimension {
    var written = loadTwo(state)
    addTwoProducts(&written, keys + k, change)
    addTwoProducts(&outputs, queries + k, written)
    let decayed = scaled(written, decay)
    storeTwo(decayed, state)
    addTwoProducts(&reads, nextKeys + k, decayed)
    state += 32
    k &+= 1
  }
  return (outputs, reads)
}

/// S ← S + δ·kᵀ and o = S·q for the last token.
@inline(__always)
private func write(
  _ slice: UnsafePointer<DeltaRuleSlice>, _ change: TwoLanes, _ queries: UnsafePointer<Float>,
  _ keys: UnsafePointer<Float>
) -> TwoLanes {
  var outputs = (zeros(), zeros())
  var state = slice.pointee.state
  var k = 0
  while k < slice.pointee.keyDimension {
    var written = loadTwo(state)
    addTwoProducts(&written, keys + k, change)
    storeTwo(written, state)
    addTwoProducts(&outputs, queries + k, written)
    state += 32
    k &+= 1
  }
  return outputs
}

@inline(__always)
private func addTwoProducts(
  _ sums: inout TwoLanes, _ a: UnsafePointer<Float>, _ b: TwoLanes
) {
  sums.0 = add(sums.0, multiply(broadcast: a, b.0))
  sums.1 = add(sums.1, multiply(broadcast: a, b.1))
}

@inline(__always) private func scaled(_ lanes: TwoLanes, _ factor: Lanes) -> TwoLanes {
  (multiply(lanes.0, factor), multiply(lanes.1, factor))
}

/// (a − b) · factor.
@inline(__always)
private func scaledDifference(_ a: TwoLanes, _ b: TwoLanes, _ factor: Lanes) -> TwoLanes {
  (multiply(subtract(a.0, b.0), factor), multiply(subtract(a.1, b.1), factor))
}

@inline(__always)
private func loadTwo(_ source: UnsafePointer<Float>) -> TwoLanes {
  (load(source), load(source + 16))
}

@inline(__always)
private func storeTwo(_ lanes: TwoLanes, _ target: UnsafeMutablePointer<Float>) {
  store(lanes.0, target)
  store(lanes.1, target + 16)
}

/// The first `count` of 32 lanes from memory, +0 in the others.
@inline(__always)
private func loadTwo(_ source: UnsafePointer<Float>, _ count: Int) -> TwoLanes {
  guard count < 32 else { return loadTwo(source) }
  return (
    load(source, count: within16(count)), load(source + 16, count: within16(count &- 16))
  )
}

@inline(__always)
private func storeTwo(_ lanes: TwoLanes, _ target: UnsafeMutablePointer<Float>, _ count: Int) {
  guard count < 32 else { return storeTwo(lanes, target) }
  store(lanes.0, target, count: within16(count))
  store(lanes.1, target + 16, count: within16(count &- 16))
}
