import Inference
import Synchronization

/// The texts of a turn as a listener hears them.
final class Heard: Sendable {
  private let texts = Mutex((answer: "", reasoning: ""))

  var answer: String { texts.withLock { $0.answer } }
  var reasoning: String { texts.withLock { $0.reasoning } }

  func take(_ event: GenerationEvent) {
    switch event {
    case .answer(let text, _): texts.withLock { $0.answer += text }
    case .reasoning(let text, _): texts.withLock { $0.reasoning += text }
    default: break
    }
  }
}
