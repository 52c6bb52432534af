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

  /// What the group of `--group` leaves as it is; nil where that is nothing.
  static func passedOver(_ plan: ConversionPlan, group: Int) -> String? {
    let layers = plan.passedOver
    guard let first = layers.first else { return nil }
    let widths = Set(layers.map(\.columns)).sorted().map(String.init)
    let some = widths.prefix(3).joined(separator: ", ") + (widths.count > 3 ? ", …" : "")
    let verb = widths.count == 1 ? "is no multiple" : "are no multiples"
    let way =
      layers.fittingGroup.map { "--group \($0) fits" } ?? "no group divides the rows of all"
    return """
      \(Figures.grouped(layers.count)) of \(Figures.grouped(layers.count + plan.quantisedCount)) \
      layers stay at \(first.bits) bits: \(some) \(verb) of \(group); \(way).
      """
  }

  static func noSpace(_ folder: String, needed: Int, available: Int) -> String {
    """
    There is not enough room in \(folder): the converted model takes \(Figures.bytes(needed)), and \
    \(Figures.bytes(available)) are free.
    """
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
