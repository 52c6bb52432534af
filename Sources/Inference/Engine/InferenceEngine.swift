package import Tokenizers

/// A resident language model and what can be asked of it.
///
/// One model is loaded at a time and one reply is generated at a time. Computing happens on the
/// engine's own threads, never on the cooperative pool. Everything that takes tokens or text
/// before a model is loaded throws `EngineError.notLoaded`.
package protocol InferenceEngine: Sendable {
  /// The loaded model, or nil.
  var loaded: ModelDescription? { get }

  /// The tokens after which a reply is over; empty when no model is loaded.
  var endOfTurn: Set<TokenID> { get }

  /// The most tokens that prompt and reply may have together, as loaded; 0 when no model is.
  ///
  /// At most the model's own `ModelDescription.contextLength`.
  var contextLength: Int { get }

  /// Loads a model, releasing the resident one first.
  ///
  /// If the new one fails, the old one is restored before the error is thrown. `progress` is
  /// called on an engine thread, at most some tens of times a second.
  ///
  /// - Throws: `MemoryRefusal` before anything big is allocated, or what is wrong with the files.
  @discardableResult
  func load(
    _ model: ModelReference, budget: MemoryBudget,
    progress: @escaping @Sendable (LoadProgress) -> Void
  ) async throws -> ModelDescription

  /// Releases the model; does nothing when none is loaded.
  func unload() async

  /// Generates the reply to a prompt.
  ///
  /// The stream ends after `.finished`, or by throwing. Dropping the stream, or cancelling the
  /// task that reads it, stops the computation, but then nobody hears `.finished`; `cancel()`
  /// stops it and the stream still ends in order. What the engine holds of an earlier prompt with
  /// the same beginning is reused.
  ///
  /// - Throws: through the stream, `MemoryRefusal` before the first chunk of the prompt,
  ///   `EngineError`, or what went wrong while computing.
  func generate(
    _ prompt: [TokenID], _ parameters: GenerationParameters
  ) -> AsyncThrowingStream<GenerationEvent, any Error>

  /// Stops the reply being generated, in the prompt too.
  ///
  /// Its stream ends with `.finished`, whose reason is `.cancelled`. Returns at once; safe from
  /// any thread, but not from a signal handler.
  func cancel()

  /// The tokens of a text.
  ///
  /// With `matchingControl` the literals of control tokens become those tokens; without (for
  /// text nobody vouches for) they never do.
  func encode(_ text: String, matchingControl: Bool) throws -> [TokenID]

  /// The text of tokens; invalid UTF-8 is replaced.
  func decode(_ tokens: [TokenID], skippingControl: Bool) throws -> String

  /// A conversation rendered whole through the model's template.
  func prompt(_ request: PromptRequest) throws -> Prompt

  /// What continues a conversation whose tokens are already known.
  ///
  /// `request.messages` ends with the last reply and then what is new. The result's tokens follow
  /// the stored ones, `history`, which end with that reply as sampled; the end-of-turn token is
  /// supplied if the reply lacks it.
  ///
  /// - Throws: `TemplateError` or another error when the template cannot render it so; the caller
  ///   renders the conversation anew.
  func continuation(_ request: PromptRequest, after history: [TokenID]) throws -> Prompt
}
