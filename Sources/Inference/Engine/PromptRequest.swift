package import Tokenizers

/// A conversation to be rendered for a model.
package struct PromptRequest: Sendable, Hashable {
  package var messages: [ChatMessage]
  /// Tools offered to the model: a JSON array as text, or nil.
  package var tools: String?
  /// Whether the model is to think; nil is the template's own default.
  package var thinking: Bool?
  /// Whether the beginning of the assistant's reply is appended.
  package var addsGenerationPrompt: Bool

  package init(
    messages: [ChatMessage], tools: String? = nil, thinking: Bool? = nil,
    addsGenerationPrompt: Bool = true
  ) {
    self.messages = messages
    self.tools = tools
    self.thinking = thinking
    self.addsGenerationPrompt = addsGenerationPrompt
  }
}

/// Tokens to feed to a model, and what they say about the reply that follows.
package struct Prompt: Sendable, Hashable {
  package var tokens: [TokenID]
  /// The rendered text that the tokens are of.
  package var text: String
  /// Whether the prompt has opened the thinking block already, so that the reply begins in it.
  package var startsInsideThinking: Bool

  package init(tokens: [TokenID], text: String, startsInsideThinking: Bool = false) {
    self.tokens = tokens
    self.text = text
    self.startsInsideThinking = startsInsideThinking
  }
}
