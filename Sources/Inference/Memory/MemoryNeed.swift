/// The parts of what a model takes, in bytes, from tensor headers and settings.
package struct MemoryNeed: Sendable, Hashable, Codable {
  /// Weights in pages of a file, which the system may drop and read again.
  package var mappedWeights: Int
  /// Weights in the process's own pages.
  package var anonymousWeights: Int
  /// The most that laying out the weights takes beside them; gone when the model is ready.
  package var preparation: Int
  /// Keys and values of prompt and reply.
  package var keyValue: Int
  /// State of layers without keys and values.
  package var recurrentState: Int
  /// Buffers for the largest chunk of a prompt.
  package var scratch: Int
  /// Snapshots of the state at message boundaries.
  package var snapshots: Int
  /// Vocabulary, merges and template.
  package var tokenizer: Int
  /// What the program allocates without a model.
  package var runtime: Int
  /// The program and its libraries: pages of files.
  package var binary: Int

  package init(
    mappedWeights: Int = 0, anonymousWeights: Int = 0, preparation: Int = 0, keyValue: Int = 0,
    recurrentState: Int = 0, scratch: Int = 0, snapshots: Int = 0, tokenizer: Int = 0,
    runtime: Int = 0, binary: Int = 0
  ) {
    self.mappedWeights = mappedWeights
    self.anonymousWeights = anonymousWeights
    self.preparation = preparation
    self.keyValue = keyValue
    self.recurrentState = recurrentState
    self.scratch = scratch
    self.snapshots = snapshots
    self.tokenizer = tokenizer
    self.runtime = runtime
    self.binary = binary
  }

  /// The peak of what only ending the process gives back.
  ///
  /// Preparing is over before the first token is computed, so the larger of the two counts.
  package var anonymous: Int {
    let running = sum(keyValue, recurrentState, scratch, snapshots)
    return sum(anonymousWeights, tokenizer, runtime, max(preparation, running))
  }

  /// The peak of pages of files, the program's and those of mapped weights.
  package var fileBacked: Int { sum(mappedWeights, binary) }

  /// The peak of everything; the largest number rather than an overflow.
  package var total: Int { sum(anonymous, fileBacked) }

  private func sum(_ parts: Int...) -> Int {
    parts.reduce(0) { $0.added(clamping: max(0, $1)) }
  }

  package enum CodingKeys: String, CodingKey {
    case mappedWeights = "mapped_weights_bytes"
    case anonymousWeights = "anonymous_weights_bytes"
    case preparation = "preparation_bytes"
    case keyValue = "key_value_bytes"
    case recurrentState = "recurrent_state_bytes"
    case scratch = "scratch_bytes"
    case snapshots = "snapshots_bytes"
    case tokenizer = "tokenizer_bytes"
    case runtime = "runtime_bytes"
    case binary = "binary_bytes"
  }
}

/// What of a need is in memory already, in bytes.
package struct HeldMemory: Sendable, Hashable {
  package var anonymous: Int
  /// Resident pages of files.
  package var mapped: Int

  package init(anonymous: Int = 0, mapped: Int = 0) {
    self.anonymous = anonymous
    self.mapped = mapped
  }
}
