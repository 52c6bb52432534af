/// Which model to load and how.
package struct ModelReference: Sendable, Hashable {
  /// The name that the user knows it by.
  package var name: String
  /// The file or folder that holds it.
  package var path: String
  /// The options of this load.
  package var options: ModelOptions

  package init(name: String, path: String, options: ModelOptions = ModelOptions()) {
    self.name = name
    self.path = path
    self.options = options
  }
}

/// What a user may choose when a model is loaded; nil is the engine's choice.
package struct ModelOptions: Sendable, Hashable {
  /// The most tokens of prompt and reply together.
  package var contextLength: Int?
  /// Bits of a cached key and value.
  package var keyValueBits: KeyValueBits?
  /// The computing backend.
  package var backend: Backend?
  /// Threads to compute with.
  package var threads: Int?
  /// Sampling defaults that go before those in the model's files, such as a catalog row's.
  package var sampling: SamplingOverrides?

  package init(
    contextLength: Int? = nil, keyValueBits: KeyValueBits? = nil, backend: Backend? = nil,
    threads: Int? = nil, sampling: SamplingOverrides? = nil
  ) {
    self.contextLength = contextLength
    self.keyValueBits = keyValueBits
    self.backend = backend
    self.threads = threads
    self.sampling = sampling
  }

  /// How matrices are multiplied.
  package enum Backend: String, Sendable, Hashable, CaseIterable, Codable {
    /// Integer kernels on the prepared weights.
    case simd
    /// Float32 through BLAS: the accuracy reference.
    case blas
  }
}
