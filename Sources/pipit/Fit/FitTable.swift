import Inference
import JSON
import ModelLibrary

extension FitSurvey {
  /// A table with a line about the machine before it and one about the best model after it.
  func text(_ machine: MachineMemory, isOther: Bool) -> String {
    var text = FitWords.machine(machine, isOther: isOther) + "\n\n"
    let header = ["model", "weights", "at 4K", "at 16K", "at its own length", "verdict"]
    let unknown = obstacles.map { [$0.name, "", "", "", "", "unknown: \($0.reason)"] }
    let rows = [header] + fits.map(Self.row) + unknown
    let widths = (0..<header.count - 1).map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      for (column, cell) in row.dropLast().enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        text += (column == 0 ? cell + padding : padding + cell) + "  "
      }
      text += (row.last ?? "") + "\n"
    }
    if let best = fits.best { text += "\n" + FitWords.best(best) + "\n" }
    return text
  }

  private static func row(_ fit: ModelFit) -> [String] {
    let native = fit.peaks.last.map {
      "\(Figures.bytes($0.byteCount)) (\(Figures.grouped($0.context)))"
    }
    return [
      fit.name + (fit.isInstalled ? " *" : ""), Figures.bytes(fit.weights),
      fit.peak(4096).map(Figures.bytes) ?? "-", fit.peak(16384).map(Figures.bytes) ?? "-",
      native ?? "-", FitWords.verdict(fit),
    ]
  }

  func json(_ machine: MachineMemory) -> JSONValue {
    .members([
      ("available_bytes", .optional(machine.available)),
      ("limit", .optional(machine.tightest?.description)),
      ("best", .optional(fits.best?.name)),
      (
        "models",
        .array(
          fits.map(\.json)
            + obstacles.map {
              .members([
                ("name", .string($0.name)), ("verdict", "unknown"), ("reason", .string($0.reason)),
              ])
            })
      ),
    ])
  }
}

extension ModelFit {
  fileprivate var json: JSONValue {
    var largest: Int?
    if case .tight(let context) = verdict { largest = context }
    return .members([
      ("name", .string(name)), ("installed", .bool(isInstalled)),
      ("parameters", .integer(parameterCount)), ("weights_bytes", .integer(weights)),
      ("context_length", .integer(contextLength)),
      (
        "peaks",
        .array(
          peaks.map {
            .members([("context", .integer($0.context)), ("bytes", .integer($0.byteCount))])
          })
      ),
      ("verdict", .string(verdict.name)), ("verdict_context", .integer(verdictContext)),
      ("largest_context", .optional(largest)),
      ("comfortable_context", .optional(comfortableContext)),
    ])
  }
}

extension FitVerdict {
  fileprivate var name: String {
    switch self {
    case .comfortable: "fits_well"
    case .tight: "tight"
    case .tooLarge: "does_not_fit"
    case .unknown: "unknown"
    }
  }
}
