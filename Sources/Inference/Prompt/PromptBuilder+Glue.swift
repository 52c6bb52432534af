// Replies are kept as the tokens that were sampled and are never rendered again: templates drop
// old thinking blocks, which would change the prefix and cost the whole cache. What has to follow
// a reply is found by rendering the conversation with a sentinel in its place: whatever comes
// after the sentinel is the *glue*. It begins with the end of the reply's turn and includes the
// new messages and the opening of the next reply.

import Templates
package import Tokenizers

extension PromptBuilder {
  /// A prompt for the next turn.
  package enum Turn: Sendable, Hashable {
    /// Tokens to follow the ones known.
    case continued(Prompt)
    /// The whole conversation, and why it had to be rendered anew.
    case renderedAnew(Prompt, reason: String)
  }

  /// What follows `history`, which ends with the last reply of `request.messages` as sampled; the
  /// whole conversation when that cannot be had.
  ///
  /// - Throws: as `prompt(_:)` does.
  package func turn(_ request: PromptRequest, after history: [TokenID]) throws -> Turn {
    do {
      return .continued(try continuation(request, after: history))
    } catch let failure as GlueFailure {
      return .renderedAnew(try prompt(request), reason: failure.description)
    }
  }

  /// What follows `history`, which ends with the last reply of `request.messages` as sampled.
  ///
  /// If the reply lacks an end-of-turn token, the result supplies it.
  ///
  /// - Throws: `GlueFailure` when the conversation has to be rendered anew, or as `prompt(_:)`.
  package func continuation(
    _ request: PromptRequest, after history: [TokenID]
  ) throws -> Prompt {
    let glue = try glue(request)
    var tokens = try tokenizer.encode(glue, .guarded)
    if let last = history.last, endOfTurn.contains(last) {
      tokens.removeFirst(countThroughEndOfTurn(tokens))
    }
    return prompt(tokens, endingWith: glue, request)
  }

  /// The text after the last reply, guards included.
  func glue(_ request: PromptRequest) throws -> String {
    guard let reply = request.messages.lastIndex(where: { $0.role == .assistant }),
      reply + 1 < request.messages.count
    else { throw GlueFailure.nothingNew }
    let sentinel = Self.sentinel(absentFrom: request)
    var marked = request
    marked.messages[reply] = ChatMessage(.assistant, sentinel)
    let rendering: Rendering
    do { rendering = try render(marked) } catch let error as TemplateError {
      throw GlueFailure.template(error)
    }
    let parts = rendering.text.split(separator: sentinel, omittingEmptySubsequences: false)
    guard parts.count == 2, let glue = parts.last else {
      throw GlueFailure.replyRendered(times: parts.count - 1)
    }
    for message in request.messages[(reply + 1)...] where message.role == .system {
      guard rendering.normalisation == .none, glue.contains(Self.trimmed(message.content)) else {
        throw GlueFailure.systemMessageMoves
      }
    }
    return String(glue)
  }

  /// How many tokens at the beginning are the end of a turn and white space before it.
  private func countThroughEndOfTurn(_ tokens: [TokenID]) -> Int {
    for (index, token) in tokens.enumerated() {
      if endOfTurn.contains(token) { return index + 1 }
      let text = tokenizer.decode([token], skippingControl: false)
      guard text.unicodeScalars.allSatisfy(\.properties.isWhitespace) else { break }
    }
    return 0
  }

  /// A word that occurs nowhere in the request and that no template has reason to change.
  private static func sentinel(absentFrom request: PromptRequest) -> String {
    let texts = request.messages.flatMap { message in
      [message.content, message.reasoning ?? "", message.name ?? "", message.toolCallID ?? ""]
        + message.toolCalls.flatMap { [$0.name, $0.arguments, $0.id ?? ""] }
    }
    var number = 0
    while true {
      let sentinel = "ReplyOfTheAssistant\(number)End"
      if !(texts + [request.tools ?? ""]).contains(where: { $0.contains(sentinel) }) {
        return sentinel
      }
      number += 1
    }
  }

  private static func trimmed(_ text: String) -> Substring {
    let scalars = Substring(text).unicodeScalars.drop { $0.properties.isWhitespace }
    let end = scalars.reversed().prefix { $0.properties.isWhitespace }.count
    return Substring(scalars.dropLast(end))
  }
}
