import Templates

extension PromptBuilder {
  /// Whether the template has a switch for thinking: found out by trying it.
  ///
  /// Without one a model still thinks if its template opens the block for it, or takes blocks out
  /// of earlier replies.
  func detectThinking() -> ThinkingKind {
    var request = PromptRequest(messages: [ChatMessage(.user, "Hello")])
    let byDefault = try? text(request)
    request.thinking = true
    let on = try? text(request)
    request.thinking = false
    let off = try? text(request)
    if let on, let off, on != off { return .switchable }
    if let byDefault, opensThinking(byDefault) { return .always }
    return template.source.contains(tags.closing) ? .always : .none
  }
}
