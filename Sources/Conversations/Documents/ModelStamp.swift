package import Inference

/// Which model a reply is of, as far as it matters for what was fed to it.
package struct ModelStamp: Sendable, Hashable {
  /// The name that the user knows it by.
  package var name: String
  package var architecture: String
  package var parameterCount: Int
  /// Bytes of the weights in their files.
  package var byteCount: Int
  /// Tokens of the vocabulary.
  package var vocabularyCount: Int
  /// SHA-256 of the files, if it was known.
  package var digest: String?

  package init(
    name: String, architecture: String, parameterCount: Int, byteCount: Int,
    vocabularyCount: Int, digest: String? = nil
  ) {
    self.name = name
    self.architecture = architecture
    self.parameterCount = parameterCount
    self.byteCount = byteCount
    self.vocabularyCount = vocabularyCount
    self.digest = digest
  }

  package init(_ model: ModelDescription) {
    self.init(
      name: model.name, architecture: model.architecture, parameterCount: model.parameterCount,
      byteCount: model.byteCount, vocabularyCount: model.vocabularyCount, digest: model.digest)
  }

  /// Whether the one's tokens can be taken for the other's.
  ///
  /// The digest decides where both have one. Without, the name counts too: models of one size and
  /// make may still have other control tokens, and reading anew only costs time.
  package func isSame(as other: ModelStamp) -> Bool {
    if let digest, let otherDigest = other.digest { return digest == otherDigest }
    return name == other.name && architecture == other.architecture
      && parameterCount == other.parameterCount && byteCount == other.byteCount
      && vocabularyCount == other.vocabularyCount
  }
}
