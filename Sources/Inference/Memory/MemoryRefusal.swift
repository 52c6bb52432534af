/// Why a load or a prompt is not admitted.
package enum MemoryRefusal: Error, Sendable, Hashable {
  /// Prompt and reply are longer than the context. Exit code 5.
  case context(ContextShortage)
  /// A context is asked for that the model was not made for. Exit code 5.
  case modelContext(asked: Int, modelContextLength: Int)
  /// There is not enough memory. Exit code 4.
  case memory(MemoryShortage)
  /// A limit on the process's address space leaves no room to map and to make threads. Exit code 4.
  case addressSpace(AddressShortage)
  /// The process did not survive the last loads of the model. Exit code 4.
  case deaths(LoadDeaths)
}

/// The figures of an address space that is too small, in bytes.
package struct AddressShortage: Sendable, Hashable {
  package enum Purpose: Sendable, Hashable {
    /// The program's own threads.
    case program
    /// The files of a model, by its name, and the threads that compute.
    case model(String)
  }

  package var purpose: Purpose
  package var needed: Int
  package var available: Int
  /// The limit itself.
  package var limit: Int

  package init(purpose: Purpose, needed: Int, available: Int, limit: Int) {
    self.purpose = purpose
    self.needed = needed
    self.available = available
    self.limit = limit
  }
}

/// A model whose last loads killed the process.
package struct LoadDeaths: Sendable, Hashable {
  package var model: String
  /// The file or folder that is loaded.
  package var path: String
  /// Loads in a row.
  package var count: Int

  package init(model: String, path: String, count: Int) {
    self.model = model
    self.path = path
    self.count = count
  }
}

/// The figures of a prompt that does not fit its context, in tokens.
package struct ContextShortage: Sendable, Hashable {
  package var promptTokens: Int
  /// Tokens reserved for the reply.
  package var replyTokens: Int
  /// The most that prompt and reply may have together, as loaded.
  package var contextLength: Int
  /// The most the model was made for.
  package var modelContextLength: Int

  package init(
    promptTokens: Int, replyTokens: Int, contextLength: Int, modelContextLength: Int
  ) {
    self.promptTokens = promptTokens
    self.replyTokens = replyTokens
    self.contextLength = contextLength
    self.modelContextLength = modelContextLength
  }
}

/// The figures of a load or prompt that memory does not allow, in bytes.
package struct MemoryShortage: Sendable, Hashable {
  package var needed: Int
  package var available: Int
  /// The limit that is met first, in words.
  package var limit: String
  /// The context asked for, in tokens.
  package var contextLength: Int
  /// The largest context with which it would fit; nil when not even the smallest would.
  package var largestContext: Int?
  /// A smaller installed model that fits.
  package var smallerModel: String?

  package init(
    needed: Int, available: Int, limit: String, contextLength: Int, largestContext: Int? = nil,
    smallerModel: String? = nil
  ) {
    self.needed = needed
    self.available = available
    self.limit = limit
    self.contextLength = contextLength
    self.largestContext = largestContext
    self.smallerModel = smallerModel
  }
}
