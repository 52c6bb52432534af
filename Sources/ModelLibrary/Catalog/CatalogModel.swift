package import Inference

/// A row of the menu.
package struct CatalogModel: Sendable, Hashable {
  /// What users type.
  package var name: String
  package var title: String
  package var family: String
  package var publisher: String
  package var licence: String
  /// The longest context that the model was made for, in tokens.
  package var contextLength: Int
  package var thinking: ThinkingSwitch
  package var shape: ModelShape
  /// The publisher's advice; may be empty.
  package var sampling: SamplingOverrides
  package var overrides: LoadOverrides
  /// Parameters that one token visits, of a mixture of experts.
  ///
  /// Shown only: all experts are in memory.
  package var activeParameters: Int?
  /// The first is the default; there is at least one.
  package var variants: [CatalogVariant]

  /// Whether it comes with the program and from nowhere else, so that nothing can be pulled.
  package var isBundledOnly: Bool {
    variants.allSatisfy { $0.sources.allSatisfy(\.isBundled) }
  }
}

/// Whether a model thinks before it answers, and what switches that.
package enum ThinkingSwitch: String, Sendable, Hashable, CaseIterable {
  case none
  case always
  /// An argument of its template.
  case template
  /// Words at the end of the user's message.
  case suffix
}

/// Settings to load a model with unless a user says otherwise.
package struct LoadOverrides: Sendable, Hashable {
  /// Tokens.
  package var contextLength: Int?
  package var keyValueBits: KeyValueBits?

  package init(contextLength: Int? = nil, keyValueBits: KeyValueBits? = nil) {
    self.contextLength = contextLength
    self.keyValueBits = keyValueBits
  }
}

/// One form in which a model is published.
package struct CatalogVariant: Sendable, Hashable {
  package enum Format: String, Sendable, Hashable, CaseIterable {
    case gguf
    /// A folder of safetensors in MLX's packing.
    case mlx
  }

  package var name: String
  package var format: Format
  /// Bits of storage for each weight, scales included.
  package var bits: Double
  /// The publisher's rounded figure, where the sizes of the files are not known.
  package var approximateByteCount: Int?
  /// Tried in order; there is at least one.
  package var sources: [ModelSource]

  /// Bytes of all files, where the first source knows them all.
  package var byteCount: Int? {
    let files = sources.first?.files ?? []
    var sum = 0
    for file in files {
      guard let count = file.byteCount else { return nil }
      sum = sum.added(clamping: count)
    }
    return files.isEmpty ? nil : sum
  }
}

/// A row and one of its variants.
package struct CatalogChoice: Sendable, Hashable {
  package var model: CatalogModel
  package var variant: CatalogVariant

  package init(model: CatalogModel, variant: CatalogVariant) {
    self.model = model
    self.variant = variant
  }

  /// What the model is called once it is installed.
  package var installName: String {
    variant.name == model.variants.first?.name ? model.name : model.name + "-" + variant.name
  }

  /// Bytes to fetch: exact, else the publisher's figure, else by the number of parameters.
  package var estimatedByteCount: Int {
    if let exact = variant.byteCount ?? variant.approximateByteCount { return exact }
    return Int(Double(model.shape.parameterCount) * variant.bits / 8)
  }
}
