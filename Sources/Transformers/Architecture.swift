/// A model family as a value: its names in files, how its configuration is read, which choices its
/// blocks make, and what its tensors are called.
///
/// A new family is one file in `Architectures/` and its name in ``all``. Options are enums with
/// payloads; they are switched on once, when a model is loaded, and never inside a loop.
package struct Architecture: Sendable {
  /// The name in Pipit's own messages.
  package let name: String

  /// Values of `general.architecture` in GGUF files.
  let gguf: [String]

  /// Values of `model_type` in config.json (of the text configuration where they are nested).
  let huggingFace: [String]

  let block: BlockDesign
  let tensors: TensorNames

  /// Reads the family's configuration; most families are ``ModelConfiguration/llamaStyle(_:)`` with
  /// a field or two changed.
  let configure: @Sendable (ModelSettings) throws -> ModelConfiguration

  /// Every family that Pipit runs; a test compares the list with the folder.
  package static let all: [Architecture] = [
    .llama, .qwen2, .qwen3, .qwen3MoE, .qwen35, .qwen35MoE, .gemma3,
  ]

  /// The family a file names.
  ///
  /// - Throws: ``ModelError/unknownArchitecture(_:known:)``.
  package static func named(_ name: String, in form: NameForm) throws -> Architecture {
    let found = all.first { architecture in
      switch form {
      case .gguf: architecture.gguf.contains(name)
      case .huggingFace: architecture.huggingFace.contains(name)
      }
    }
    guard let found else {
      throw ModelError.unknownArchitecture(name, known: all.map(\.name))
    }
    return found
  }

  /// Which of a family's names a file uses.
  package enum NameForm: Sendable {
    case gguf, huggingFace
  }
}
