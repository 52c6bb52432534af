import Inference
import ModelLibrary

/// What `pipit fit` says.
enum FitWords {
  static func machine(_ machine: MachineMemory, isOther: Bool) -> String {
    guard let tightest = machine.tightest else {
      return "Nothing is known of this machine's memory."
    }
    let available = Figures.bytes(tightest.available)
    let capacity = Figures.bytes(tightest.capacity)
    return isOther
      ? "A machine with \(capacity): \(available) is available."
      : "\(available) is available now, bounded by \(tightest) (\(capacity))."
  }

  static func verdict(_ fit: ModelFit) -> String {
    switch fit.verdict {
    case .comfortable:
      fit.comfortableContext.map { "fits well, up to \(Figures.grouped($0)) of context" }
        ?? "fits well"
    case .tight(let context): "tight, up to \(Figures.grouped(context)) of context"
    case .tooLarge: "does not fit"
    case .unknown: "unknown"
    }
  }

  static func best(_ fit: ModelFit) -> String {
    """
    The most that this machine carries well: \(fit.name)\
    \(fit.isInstalled ? ", which is installed." : ".")
    """
  }
}
