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

  /// What the model has read, and of which tokens.
  ///
  /// Held by whoever computes: one reply at a time.
  let reading: Mutex<Reading>

  /// A state and the tokens it is of.
  struct Reading {
    var state: ModelState
    var tokens: [TokenID] = []
  }

  init(
    reference: ModelReference, description: ModelDescription, tokenizer: Tokenizer,
    prompts: PromptBuilder, endOfTurn: Set<TokenID>, transformer: Transformer,
    workspace: Workspace, backend: MatmulBackend, keyValueType: KVType, context: Int,
    memory: MemoryPlan
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
    reading = Mutex(
      Reading(state: transformer.emptyState(context: context, keysAndValues: keyValueType)))
  }

  /// What of the plan is in memory once `positions` have been read.
  func held(positions: Int) -> HeldMemory {
    let need = memory.need(positions: positions)
    return HeldMemory(
      anonymous: need.anonymousWeights + need.tokenizer + need.binary + need.scratch
        + need.keyValue + need.recurrentState,
      mapped: need.mappedWeights)
  }

  /// The tokens that close the thinking block by force.
  var thinkingClosing: [TokenID] {
    get throws {
      try tokenizer.encode("\n" + prompts.tags.closing + "\n\n", .matched)
    }
  }
}
