package import Templates
package import Tokenizers

/// Turns conversations into tokens for one model.
///
/// The text of a prompt is tokenised once as a whole. Whatever comes from outside (contents, tool
/// definitions, calls) is guarded before it is rendered, so that no control token comes from it.
package struct PromptBuilder: Sendable {
  let template: ChatTemplate
  let tokenizer: Tokenizer
  let endOfTurn: Set<TokenID>
  let tags: ThinkingTags
  let time: TemplateTime?
  /// Whether the model brings no template of its own, and ChatML is used.
  package let usesChatML: Bool
  /// Whether the model thinks, and whether its template has a switch for it.
  package private(set) var thinking = ThinkingKind.none

  /// A builder for one model.
  ///
  /// - Parameters:
  ///   - templateSource: the model's chat template; nil when it has none.
  ///   - tokenizer: the model's tokenizer.
  ///   - endOfTurn: the tokens that end a reply.
  ///   - tags: what encloses thinking.
  ///   - time: what templates that print the date are told; fixed here so that a conversation's
  ///     prompt does not change under it.
  /// - Throws: `TemplateError` when the template cannot be compiled.
  package init(
    templateSource: String?, tokenizer: Tokenizer, endOfTurn: Set<TokenID>,
    tags: ThinkingTags = ThinkingTags(), time: TemplateTime? = .now
  ) throws(TemplateError) {
    template = try ChatTemplate(source: templateSource ?? Self.chatML)
    usesChatML = templateSource == nil
    self.tokenizer = tokenizer
    self.endOfTurn = endOfTurn
    self.tags = tags
    self.time = time
    thinking = detectThinking()
  }

  /// ChatML, for models without a template.
  static let chatML = """
    {%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
    {%- endfor %}
    {%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{% endif %}
    """

  /// The whole conversation.
  ///
  /// - Throws: `TemplateError` when the template refuses or fails, `PromptError` for unreadable
  ///   tools, or what the tokenizer throws.
  package func prompt(_ request: PromptRequest) throws -> Prompt {
    let rendering = try render(request)
    var tokens = try tokenizer.encode(rendering.text, .guarded)
    if usesChatML, tokenizer.roles.addsBeginning, let beginning = tokenizer.roles.beginning {
      tokens.insert(beginning, at: 0)
    }
    return prompt(tokens, endingWith: rendering.text, request)
  }

  /// The template's text for a conversation, as the template writes it, without guards.
  package func text(_ request: PromptRequest) throws -> String {
    try render(request, isGuarded: false).text
  }

  func prompt(
    _ tokens: [TokenID], endingWith text: String, _ request: PromptRequest
  ) -> Prompt {
    Prompt(
      tokens: tokens, text: tokenizer.decode(tokens, skippingControl: false),
      startsInsideThinking: request.addsGenerationPrompt && opensThinking(text))
  }

  /// Whether a rendered prompt ends with an open thinking block.
  func opensThinking(_ text: String) -> Bool {
    let end = text.unicodeScalars.reversed().drop { $0.properties.isWhitespace }
    return end.starts(with: tags.opening.unicodeScalars.reversed())
  }

  struct Rendering {
    var text: String
    /// What had to be done to the roles before the template took them.
    var normalisation: RoleNormalisation
  }

  /// Renders the conversation, with its roles rearranged as little as the template demands.
  func render(_ request: PromptRequest, isGuarded: Bool = true) throws -> Rendering {
    do {
      return try render(request, .none, isGuarded: isGuarded)
    } catch let refusal as TemplateError {
      guard case .raised = refusal.kind else { throw refusal }
      for normalisation in RoleNormalisation.allCases.dropFirst() {
        if let rendering = try? render(request, normalisation, isGuarded: isGuarded) {
          return rendering
        }
      }
      throw refusal
    }
  }

  private func render(
    _ request: PromptRequest, _ normalisation: RoleNormalisation, isGuarded: Bool
  ) throws -> Rendering {
    let messages = normalisation.applied(to: request.messages)
    let variables = try variables(for: request, messages, isGuarded: isGuarded)
    return Rendering(
      text: try template.render(variables, time: time), normalisation: normalisation)
  }
}
