import Tokenizers

/// The template of a `ScriptedEngine`: ChatML, with a thinking block opened or closed in advance
/// as Qwen3.5's does.
struct ScriptedTemplate {
  let thinking: ThinkingKind

  func prompt(_ request: PromptRequest) -> Prompt {
    render(request.messages[...], opening: [], request)
  }

  func continuation(_ request: PromptRequest, after history: [TokenID]) -> Prompt {
    let reply = request.messages.lastIndex { $0.role == .assistant } ?? -1
    let hasEnded = history.last == ScriptedVocabulary.endOfTurn
    return render(
      request.messages[(reply + 1)...], opening: (hasEnded ? [] : ["<|im_end|>"]) + ["\n"],
      request)
  }

  private func render(
    _ messages: ArraySlice<ChatMessage>, opening: [String], _ request: PromptRequest
  ) -> Prompt {
    var text = ""
    var tokens: [TokenID] = []
    func append(_ part: String, isTrusted: Bool = true) {
      text += part
      tokens += ScriptedVocabulary.encode(part, matchingControl: isTrusted)
    }
    opening.forEach { append($0) }
    for message in messages {
      append("<|im_start|>\(message.role.rawValue)\n")
      append(message.content, isTrusted: false)
      append("<|im_end|>\n")
    }
    let thinks = thinking == .always || (thinking == .switchable && request.thinking != false)
    if request.addsGenerationPrompt {
      append("<|im_start|>assistant\n")
      if thinks {
        append("<think>\n")
      } else if thinking == .switchable {
        append("<think>\n\n</think>\n\n")
      }
    }
    return Prompt(
      tokens: tokens, text: text, startsInsideThinking: thinks && request.addsGenerationPrompt)
  }
}
