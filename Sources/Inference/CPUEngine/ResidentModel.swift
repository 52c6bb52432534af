import Kernels
import Synchronization
import Tokenizers
import Transformers

/// A loaded model with everything that generating needs, allocated.
final class ResidentModel: Sendable {
  let reference: ModelReference
  let description: ModelDescription
  let tokenizer: Tokenizer
  let prompts: PromptBuilder
  let endOfTurn: Set<TokenID>
  let transformer: Transformer
  let workspace: Workspace
  let backend: MatmulBackend
  let keyValueType: KVType
  /// Positions that prompt and reply may have together.
  let context: Int
  /// What the model takes, for any length of context.
  let memory: MemoryPlan

  /// What a saved state must have been made by to be this model's.
  let sessionKey: String

  /// What the model has read.
  ///
  /// Held by whoever computes: one reply at a time.
  let promptMemory: Mutex<PromptMemory>

  init(
    reference: ModelReference, description: ModelDescription, tokenizer: Tokenizer,
    prompts: PromptBuilder, endOfTurn: Set<TokenID>, transformer: Transformer,
    workspace: Workspace, backend: MatmulBackend, keyValueType: KVType, context: Int,
    memory: MemoryPlan, identity: String
  ) {
    self.reference = reference
    self.description = description
    self.tokenizer = tokenizer
    self.prompts = prompts
    self.endOfTurn = endOfTurn
    self.transformer = transformer
    self.workspace = workspace
    self.backend = backend
    self.keyValueType = keyValueType
    self.context = context
    self.memory = memory
    sessionKey = """
      state \(StateArchive.version), numerics \(numericsVersion), \(backend), \(keyValueType)
      \(description.digest ?? identity)
      """
    promptMemory = Mutex(
      PromptMemory(
        transformer.emptyState(context: context, keysAndValues: keyValueType),
        snapshotLimit: memory.fixed.snapshots))
  }

  /// What of the plan is in memory once `positions` have been read, and snapshots made.
  func held(positions: Int, snapshots: Int) -> HeldMemory {
    let need = memory.need(positions: positions)
    return HeldMemory(
      anonymous: need.anonymousWeights + need.tokenizer + need.runtime + need.scratch
        + need.keyValue + need.recurrentState + snapshots,
      mapped: need.fileBacked)
  }

  /// Admits a state beside the one that prompts are read into, which gives its snapshots back before
  /// anything is refused.
  ///
  /// - Throws: `MemoryRefusal.memory`, unless forced.
  func admit(_ state: MemoryPlan, positions: Int, budget: MemoryBudget) throws {
    do {
      try budget.admit(state, positions: positions)
    } catch {
      guard promptMemory.withLock({ $0.dropSnapshots() }) else { throw error }
      try budget.admit(state, positions: positions)
    }
  }

  /// The tokens that close the thinking block by force.
  var thinkingClosing: [TokenID] {
    get throws {
      try tokenizer.encode("\n" + prompts.tags.closing + "\n\n", .matched)
    }
  }
}
