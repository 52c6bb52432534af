import Kernels
package import Weights

/// States on their way to a file or from one.
///
/// What several of them share is written once.
/// The form of a state: its position; then layer by layer the number of the first block, how many
/// there are, and the blocks, of both forms; or the memory of a delta net. A part is a number: that
/// of one before, or the next, followed by its bytes.
package enum StateArchive {
  /// To be part of what a file is known by: changes with the form.
  package static let version = 2

  package static func write(_ states: [ModelState], to file: ArchiveWriter) throws(ArchiveError) {
    var numbers: [ObjectIdentifier: Int] = [:]
    /// Writes a part's number; true if its bytes are to follow.
    func isNew(_ part: AnyObject) throws(ArchiveError) -> Bool {
      let next = numbers.count
      let number = numbers[ObjectIdentifier(part)]
      numbers[ObjectIdentifier(part)] = number ?? next
      try file.write(UInt32(number ?? next))
      return number == nil
    }
    func write(_ blocks: [KVBlock], from first: Int) throws(ArchiveError) {
      try file.write(UInt32(first))
      try file.write(UInt32(blocks.count))
      for block in blocks where try isNew(block) {
        try file.write(UInt8(block.isQuantised ? 1 : 0))
        try block.withSpan { (bytes) throws(ArchiveError) in try file.write(bytes) }
      }
    }
    try file.write(UInt32(states.count))
    for state in states {
      try file.write(UInt32(state.position))
      for layer in state.layers {
        switch layer {
        case .attention(let blocks):
          try write(blocks.blocks, from: blocks.firstBlock)
          try write(blocks.quantisedBlocks, from: blocks.firstQuantisedBlock)
        case .deltaNet(let memory):
          guard try isNew(memory) else { continue }
          try memory.forEachSpan { (bytes) throws(ArchiveError) in try file.write(bytes) }
        case .empty: break
        }
      }
    }
  }

  /// Reads states that are like `empty`, which has read nothing.
  ///
  /// - Throws: `ArchiveError.damaged` for what cannot be a state of that form.
  package static func read(
    like empty: ModelState, from file: inout ArchiveReader
  ) throws(ArchiveError) -> [ModelState] {
    var parts: [Part] = []
    var states: [ModelState] = []
    for _ in 0..<(try file.readCount(atMost: 1 << 16)) {
      var state = empty
      let position = try file.readCount(atMost: empty.context)
      for index in empty.layers.indices {
        switch empty.layers[index] {
        case .attention(let form):
          state.layers[index] = .attention(
            try readBlocks(like: form, upTo: position, parts: &parts, from: &file))
        case .deltaNet(let form):
          state.layers[index] = .deltaNet(
            try readMemory(form.shape, parts: &parts, from: &file))
        case .empty: throw file.inconsistency
        }
      }
      guard state.resume(at: position) else { throw file.inconsistency }
      states.append(state)
    }
    return states
  }

  private enum Part {
    case block(KVBlock)
    case memory(DeltaNetState)
  }

  private static func readBlocks(
    like form: KVBlocks, upTo position: Int, parts: inout [Part], from file: inout ArchiveReader
  ) throws(ArchiveError) -> KVBlocks {
    let most = (position + KVBlock.positions - 1) / KVBlock.positions
    func read(
      _ type: KVType, parts: inout [Part], from file: inout ArchiveReader
    ) throws(ArchiveError) -> (first: Int, blocks: [KVBlock]) {
      let first = try file.readCount(atMost: most)
      let count = try file.readCount(atMost: most - first)
      var blocks: [KVBlock] = []
      for _ in 0..<count {
        let number = try file.readCount(atMost: parts.count)
        if number < parts.count {
          guard case .block(let block) = parts[number], block.type == type else {
            throw file.inconsistency
          }
          blocks.append(block)
          continue
        }
        let isQuantised = try file.read(UInt8.self)
        guard isQuantised <= (type.isQuantised ? 1 : 0) else { throw file.inconsistency }
        let block = KVBlock(
          keyValueHeads: form.keyValueHeads, headDimension: form.headDimension, type: type)
        try block.restore(isQuantised: isQuantised == 1) { (bytes) throws(ArchiveError) in
          try file.read(into: &bytes)
        }
        parts.append(.block(block))
        blocks.append(block)
      }
      return (first, blocks)
    }
    let stored = try read(form.type.stored, parts: &parts, from: &file)
    let quantised = try read(form.type, parts: &parts, from: &file)
    guard form.type.isQuantised || quantised.blocks.isEmpty else { throw file.inconsistency }
    return KVBlocks(
      keyValueHeads: form.keyValueHeads, headDimension: form.headDimension, type: form.type,
      blocks: stored.blocks, from: stored.first,
      quantisedBlocks: quantised.blocks, from: quantised.first)
  }

  private static func readMemory(
    _ shape: DeltaNetShape, parts: inout [Part], from file: inout ArchiveReader
  ) throws(ArchiveError) -> DeltaNetState {
    let number = try file.readCount(atMost: parts.count)
    if number < parts.count {
      guard case .memory(let memory) = parts[number] else { throw file.inconsistency }
      return memory
    }
    let memory = DeltaNetState(shape)
    try memory.restore { (bytes) throws(ArchiveError) in try file.read(into: &bytes) }
    parts.append(.memory(memory))
    return memory
  }
}
