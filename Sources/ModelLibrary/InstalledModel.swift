/// A model in the library's folder.
package struct InstalledModel: Sendable, Hashable {
  /// Its folder's name, which is the name users call it by.
  package let name: String
  /// What an engine loads: a GGUF file or a checkpoint's folder.
  package let path: String
  /// Bytes of its weights.
  package let byteCount: Int
  package let form: Form
  /// Whether it came with the program.
  package let isBundled: Bool

  package enum Form: String, Sendable, Hashable {
    case gguf
    case checkpoint
  }
}
