import Conversations
import Inference
import Testing
import Tokenizers

/// Why a conversation is read anew is told by who knows the cause.
struct ReuseNoteTests {
  /// Finds in every prompt a reason of its own to read it anew.
  private struct ComplainingEngine: InferenceEngine {
    static let complaint = "the prompt begins differently from what was read before"

    let engine = ScriptedEngine(EngineScript(replies: [[.text("one")]]))

    var loaded: ModelDescription? { engine.loaded }
    var endOfTurn: Set<TokenID> { engine.endOfTurn }
    var contextLength: Int { engine.contextLength }

    func load(
      _ model: ModelReference, budget: MemoryBudget,
      progress: @escaping @Sendable (LoadProgress) -> Void
    ) async throws -> ModelDescription {
      try await engine.load(model, budget: budget, progress: progress)
    }

    func unload() async { await engine.unload() }

    func generate(
      _ prompt: [TokenID], _ parameters: GenerationParameters
    ) -> AsyncThrowingStream<GenerationEvent, any Error> {
      AsyncThrowingStream { continuation in
        Task {
          do {
            for try await event in engine.generate(prompt, parameters) {
              guard case .finished(var statistics) = event else {
                continuation.yield(event)
                continue
              }
              statistics.reuseNote = Self.complaint
              continuation.yield(.finished(statistics))
            }
            continuation.finish()
          } catch {
            continuation.finish(throwing: error)
          }
        }
      }
    }

    func cancel() { engine.cancel() }

    func encode(_ text: String, matchingControl: Bool) throws -> [TokenID] {
      try engine.encode(text, matchingControl: matchingControl)
    }

    func decode(_ tokens: [TokenID], skippingControl: Bool) throws -> String {
      try engine.decode(tokens, skippingControl: skippingControl)
    }

    func prompt(_ request: PromptRequest) throws -> Prompt { try engine.prompt(request) }

    func continuation(_ request: PromptRequest, after history: [TokenID]) throws -> Prompt {
      try engine.continuation(request, after: history)
    }
  }

  @Test func theSessionsReasonGoesFirst() async throws {
    let engine = ComplainingEngine()
    _ = try await engine.load(
      ModelReference(name: "m", path: ""), budget: MemoryBudget(), progress: { _ in })
    let session = ChatSession(engine: engine, settings: ChatSettings(system: "S1"))
    let first = try await session.send("a") { _ in }
    #expect(first.statistics.reuseNote == ComplainingEngine.complaint)
    await session.setSystem("S2")
    let second = try await session.send("b") { _ in }
    #expect(second.statistics.reuseNote == "the system prompt has changed")
    let third = try await session.send("c") { _ in }
    #expect(third.statistics.reuseNote == ComplainingEngine.complaint)
  }
}
