import Conversion
import Transformers

/// What `pipit convert` says.
enum ConvertWords {
  /// What of the source is left out, a line for each kind.
  static func left(_ plan: ConversionPlan) -> [String] {
    plan.unusedTotals.map { total in
      let what =
        switch total.reason {
        case .vision: "of the vision tower"
        case .prediction: "of multi-token prediction"
        case .tiedOutput: "of an output that is the embedding again"
        case .rotation: "of the rotation, which the configuration tells"
        }
      let tensors = total.count == 1 ? "1 tensor" : "\(Figures.grouped(total.count)) tensors"
      return "Left out: \(tensors) \(what), \(Figures.bytes(total.byteCount))."
    }
  }

  static func cancelled(_ output: String) -> String {
    "Stopped; nothing of \(output) is left behind."
  }

  /// A bar, the share, the speed in weights and the time left.
  static func progress(done: Int, total: Int, seconds: Double, columns: Int) -> String {
    let share = total > 0 ? Double(done) / Double(total) : 1
    var text = "Converting: \(Figures.fixed(100 * share, 0)) % of \(Figures.count(total)) weights"
    if seconds > 0.5, done > 0 {
      let left = seconds * (1 - share) / share
      text += ", \(Figures.duration(left.rounded(.up))) left"
    }
    let room = min(30, columns - text.count - 4)
    guard room >= 10 else { return text }
    let filled = Int((share * Double(room)).rounded(.down))
    return "[" + String(repeating: "#", count: filled)
      + String(repeating: "·", count: room - filled) + "] " + text
  }
}
