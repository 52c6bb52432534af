import Inference
import Kernels
import TestSupport
import Testing
import Tokenizers
import Transformers

/// What was read is reused as far as it can be, and changes no bit of what follows.
struct PromptMemoryTests {
  /// A conversation with a system prompt that is longer than a block.
  private struct Conversation {
    var tokens: [TokenID]
    var generator: SeededGenerator

    init(seed: UInt64, count: Int = 70) {
      generator = SeededGenerator(seed: seed)
      tokens = SmallModel.tokens(count, using: &generator)
    }

    mutating func some(_ count: Int) -> [TokenID] {
      SmallModel.tokens(count, using: &generator)
    }
  }

  @Test(arguments: StateKind.allCases)
  func tenTurnsWithEditsAndBranches(kind: StateKind) throws {
    let model = try SmallModel(kind)
    var memory = PromptMemory(model.emptyState, snapshotLimit: 100_000_000)
    var conversation = Conversation(seed: 1)
    var ends: [[TokenID]] = []
    for turn in 0..<10 {
      let known = turn == 0 ? 0 : conversation.tokens.count - 1
      let prompt = conversation.tokens + conversation.some(12 + turn)
      let (logits, reuse) = try model.read(prompt, into: &memory)
      #expect(reuse.reused == known && reuse.note == nil, "turn \(turn): \(reuse)")
      #expect(isSame(logits, try model.freshLogits(prompt)), "turn \(turn)")
      try model.reply(conversation.some(20), into: &memory)

      // Another reply to the same.
      let again = try model.read(prompt, into: &memory)
      #expect(again.reuse.reused == prompt.count - 1, "turn \(turn): \(again.reuse)")
      #expect(isSame(again.logits, logits), "turn \(turn)")
      let reply = conversation.some(25)
      try model.reply(reply, into: &memory)
      conversation.tokens = prompt + reply
      ends.append(conversation.tokens)
    }

    // An edit of the fifth message, and then of the first one after the system prompt.
    let edited = ends[3] + conversation.some(30)
    let edit = try model.read(edited, into: &memory)
    // The last token of a reply is read with the next turn, after the snapshot.
    // A window lets go of whole blocks, so it can go back within the last.
    let kept = kind.hasDeltaNet ? ends[3].count - 1 : ends[3].count
    #expect(edit.reuse.reused == kept, "\(edit.reuse)")
    #expect(isSame(edit.logits, try model.freshLogits(edited)))

    // Back to the branch that was left.
    let back = ends[9] + conversation.some(5)
    let returned = try model.read(back, into: &memory)
    #expect(returned.reuse.reused == ends[9].count - 1, "\(returned.reuse)")
    #expect(isSame(returned.logits, try model.freshLogits(back)))
  }

  @Test(arguments: [StateKind.dense, .hybrid, .experts, .hybridExperts])
  func whatPromptsShareIsReadTwiceAtMost(kind: StateKind) throws {
    let model = try SmallModel(kind)
    var memory = PromptMemory(model.emptyState, snapshotLimit: 100_000_000)
    var conversation = Conversation(seed: 2)
    let system = conversation.some(150)
    for attempt in 0..<4 {
      let prompt = system + [TokenID(attempt)] + conversation.some(20)
      let (logits, reuse) = try model.read(prompt, into: &memory)
      let isFree = kind.isRewindable ? attempt > 0 : attempt > 1
      #expect(reuse.reused == (isFree ? system.count : 0), "\(reuse)")
      #expect((reuse.note == nil) == (isFree || attempt == 0), "\(reuse)")
      #expect(isSame(logits, try model.freshLogits(prompt)))
      try model.reply(conversation.some(8), into: &memory)
    }
  }

  /// Edits, branches and restarts, with any room for snapshots: as if nothing had been read before.
  @Test(arguments: StateKind.allCases, KVType.tested)
  func randomEditsChangeNoBit(kind: StateKind, type: KVType) throws {
    let model = try SmallModel(kind, type: type)
    let scratch = try ScratchDirectory()
    let store = SessionStore(directory: scratch.path)
    let limits = [0, 3_000_000, 1_000_000_000]
    var memory = PromptMemory(model.emptyState, snapshotLimit: limits[2])
    // Quantised numbers are read from the sixth block on.
    var conversation = Conversation(seed: 3, count: type.isQuantised ? 360 : 70)
    var known: [[TokenID]] = [conversation.tokens]
    for step in 0..<14 {
      var prompt = known.randomElement(using: &conversation.generator) ?? []
      if Bool.random(using: &conversation.generator), prompt.count > 2 {
        prompt.removeLast(Int.random(in: 1..<prompt.count / 2, using: &conversation.generator))
      }
      prompt += conversation.some(Int.random(in: 1...90, using: &conversation.generator))
      prompt = Array(prompt.prefix(type.isQuantised ? 600 : 500))
      let chunk = Int.random(in: 1...64, using: &conversation.generator)
      memory.snapshotLimit = limits.randomElement(using: &conversation.generator) ?? 0
      let (logits, reuse) = try model.read(prompt, into: &memory, chunk: chunk)
      #expect(isSame(logits, try model.freshLogits(prompt)), "step \(step): \(reuse)")
      let reply = conversation.some(Int.random(in: 1...20, using: &conversation.generator))
      try model.reply(reply, into: &memory)
      #expect(memory.live.tokens == prompt + reply.dropLast())
      #expect(memory.live.state.position == memory.live.tokens.count)
      #expect(memory.snapshotByteCount <= memory.snapshotLimit)
      known.append(prompt + reply)
      guard step % 4 == 3, let wanted = known.randomElement(using: &conversation.generator) else {
        continue
      }
      let readings = memory.readingsToSave(of: wanted)
      try store.write(readings, key: "key", name: "branch")
      memory = PromptMemory(model.emptyState, snapshotLimit: limits[2])
      memory.resume(try store.read("branch", of: wanted, key: "key", like: model.emptyState))
      #expect(memory.live.tokens == readings.first?.tokens)
      known.append(wanted)
    }
  }

  @Test(
    arguments: [
      (StateKind.hybrid, KVType.float16), (.windowed, .float16), (.hybridExperts, .float16),
      (.dense, .int8), (.experts, .int4), (.hybrid, .int4), (.windowed, .int8),
    ])
  func theLimitKeepsWhatIsNew(kind: StateKind, type: KVType) throws {
    let model = try SmallModel(kind, type: type)
    let size =
      ModelState.snapshotByteCount(
        model.transformer.configuration, type: type) + 4 * SmallModel.context
    var memory = PromptMemory(model.emptyState, snapshotLimit: 2 * size)
    var conversation = Conversation(seed: 4, count: type.isQuantised ? 400 : 70)
    for turn in 0..<6 {
      let prompt = conversation.tokens + conversation.some(10)
      _ = try model.read(prompt, into: &memory)
      #expect(memory.snapshotByteCount <= 2 * size)
      try model.reply(conversation.some(10), into: &memory)
      let again = try model.read(prompt, into: &memory)
      #expect(again.reuse.reused == prompt.count - 1, "turn \(turn): \(again.reuse)")
      let reply = conversation.some(10)
      try model.reply(reply, into: &memory)
      conversation.tokens = prompt + reply
    }
  }

  @Test func snapshotsShareTheirBlocks() throws {
    let model = try SmallModel(.dense)
    var memory = PromptMemory(model.emptyState, snapshotLimit: 100_000_000)
    var conversation = Conversation(seed: 5)
    let prompt = conversation.some(650)
    for _ in 0..<5 {
      _ = try model.read(prompt, into: &memory)
      try model.reply(conversation.some(3), into: &memory)
    }
    var whole = 0
    memory.live.state.forEachPart { whole += $0.byteCount }
    // Four replies that were replaced hold one block a layer each, of eleven.
    #expect(memory.readings.count == 5)
    #expect(memory.snapshotByteCount < 4 * (whole / 11 + 3000))
  }
}
