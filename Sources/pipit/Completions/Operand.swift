/// What an argument of a command is, for completion.
enum Operand: String, CaseIterable, Sendable {
  /// The identifier of a conversation.
  case conversation
  /// A model that is here, or a path.
  case model
  /// A model that is here or on the menu.
  case menuModel = "menu"
  /// A path and nothing else.
  case file
}

extension Operand {
  /// The function of a completion script that lists the candidates; nil where the shell knows them.
  var listing: String? {
    switch self {
    case .conversation: "_pipit_conversations"
    case .model: "_pipit_models"
    case .menuModel: "_pipit_menu"
    case .file: nil
    }
  }
}

extension Command {
  /// What follows its words: each kind of argument with the words that it follows.
  var followers: [(operand: Operand, words: [String])] {
    Operand.allCases.compactMap { operand in
      let words = words.filter { following[$0] == operand }
      return words.isEmpty ? nil : (operand, words)
    }
  }
}
