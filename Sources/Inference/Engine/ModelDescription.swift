/// What is known of a loaded model.
package struct ModelDescription: Sendable, Hashable, Codable {
  package var name: String
  package var path: String
  /// The architecture's name, as its files spell it.
  package var architecture: String
  /// Parameters, padding and unused tensors left out.
  package var parameterCount: Int
  /// Bytes of the weights in their files.
  package var byteCount: Int
  package var layerCount: Int
  /// The most tokens the model was made for.
  package var contextLength: Int
  /// Tokens of the vocabulary; rows of the output beyond them are padding.
  package var vocabularyCount: Int
  package var thinking: ThinkingKind
  /// The model's own sampling defaults, as far as it gives any.
  package var sampling: SamplingOverrides?
  /// SHA-256 of the model's files, once taken.
  package var digest: String?
  /// Whether keys are kept in so few bits that answers get worse; of a load, and not written down.
  package var hasCoarseKeys = false

  package init(
    name: String, path: String, architecture: String, parameterCount: Int, byteCount: Int,
    layerCount: Int, contextLength: Int, vocabularyCount: Int, thinking: ThinkingKind = .none,
    sampling: SamplingOverrides? = nil, digest: String? = nil
  ) {
    self.name = name
    self.path = path
    self.architecture = architecture
    self.parameterCount = parameterCount
    self.byteCount = byteCount
    self.layerCount = layerCount
    self.contextLength = contextLength
    self.vocabularyCount = vocabularyCount
    self.thinking = thinking
    self.sampling = sampling
    self.digest = digest
  }

  package enum CodingKeys: String, CodingKey {
    case name, path, architecture, thinking, sampling, digest
    case parameterCount = "parameters"
    case byteCount = "bytes"
    case layerCount = "layers"
    case contextLength = "context_length"
    case vocabularyCount = "vocabulary"
  }
}

/// Whether a model thinks before it answers, and who decides.
package enum ThinkingKind: String, Sendable, Hashable, CaseIterable, Codable {
  /// It never does.
  case none
  /// It always does; there is no switch.
  case always
  /// Its template takes a switch.
  case switchable
}
