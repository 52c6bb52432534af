import Inference

/// The line shown while a prompt is read.
func prefillSentence(done: Int, total: Int, remaining: Double?) -> String {
  let left = remaining.map { ", \(Figures.duration($0)) left" } ?? ""
  return "Reading the prompt: \(Figures.grouped(done)) of \(Figures.tokens(total))\(left)"
}

extension LoadProgress.Phase {
  /// The line shown while a model is loaded; `done` and `total` in bytes.
  func sentence(done: Int, total: Int, remaining: Double?) -> String {
    let name =
      switch self {
      case .reading: "Reading the model"
      case .preparing: "Preparing the weights"
      case .mapping: "Checking the prepared weights"
      case .ready: "Ready"
      }
    if total == 0 { return name }
    let left = remaining.map { ", \(Figures.duration($0)) left" } ?? ""
    return "\(name): \(Figures.bytes(done)) of \(Figures.bytes(total))\(left)"
  }
}
