import Inference
import ModelLibrary

extension FitVerdict {
  /// For a column.
  var badge: String {
    switch self {
    case .comfortable: "fits"
    case .tight: "tight"
    case .tooLarge: "too large"
    case .unknown: "?"
    }
  }

  /// For scripts.
  var word: String {
    switch self {
    case .comfortable: "comfortable"
    case .tight: "tight"
    case .tooLarge: "too_large"
    case .unknown: "unknown"
    }
  }
}

extension RegistryNote {
  var sentence: String {
    switch self {
    case .rebuilt(let aside, let reason):
      """
      The record of the models could not be read (\(reason)); it was made anew from their files, \
      and the old one is \(aside).
      """
    case .gone(let names):
      """
      \(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") no longer among the \
      models: the files were removed.
      """
    }
  }
}

extension VerifyReport.State {
  var word: String {
    switch self {
    case .sound: "sound"
    case .recorded: "recorded"
    case .unrecorded: "unrecorded"
    case .missing: "missing"
    case .damaged: "damaged"
    }
  }
}

extension DownloadProgress {
  /// One line: the phase, how much of how much, how fast and how long.
  var sentence: String {
    let amount =
      total.map { "\(Figures.bytes(done)) of \(Figures.bytes($0))" } ?? Figures.bytes(done)
    let place = count > 1 ? " (file \(number) of \(count))" : ""
    switch phase {
    case .checking: return "Checking what is here\(place): \(amount)"
    case .verifying: return "Verifying\(place): \(amount)"
    case .downloading:
      let speed = bytesPerSecond.map { ", \(Figures.bytes(Int($0)))/s" } ?? ""
      let left = secondsLeft.map { ", \(Figures.duration($0.rounded(.up))) left" } ?? ""
      return "Downloading\(place): \(amount)\(speed)\(left)"
    }
  }
}

/// What `pipit models` says.
enum ModelWords {
  static let nothingInstalled = "No model is installed."
  static let installedHeading = "Installed:"
  static let menuHeading = "On the menu ('pipit models pull NAME'):"
  static let notPulled = "Nothing was fetched."
  static let nothingToFree = "There is nothing to free."

  static func alreadyInstalled(_ name: String) -> String {
    "\(name) is installed already; 'pipit models verify \(name)' checks its files."
  }

  static func installed(_ model: InstalledModel, command: String) -> String {
    "\(model.name) is installed (\(Figures.bytes(model.byteCount))); '\(command)' talks with it."
  }

  static func added(_ model: InstalledModel, _ method: AddMethod) -> String {
    switch method {
    case .inPlace: "\(model.name) is added; its files stay where they are."
    case .hardLink: "\(model.name) is added, by hard links to its files."
    case .copy: "\(model.name) is added, as a copy."
    }
  }

  static func removed(_ name: String) -> String {
    """
    \(name) is removed; 'pipit models rm --undo \(name)' brings it back, 'pipit models gc' frees its \
    space.
    """
  }

  static func restored(_ name: String) -> String { "\(name) is back." }

  static func isDefault(_ name: String) -> String { "\(name) is now the default model." }

  static func nothingFound(_ words: String) -> String {
    "Nothing was found for \(quoted(words))."
  }

  static func paused(done: Int, total: Int?, request: String) -> String {
    let amount = total.map { "\(Figures.bytes(done)) of \(Figures.bytes($0))" }
    let at = amount.map { " at \($0)" } ?? (done > 0 ? " at \(Figures.bytes(done))" : "")
    return "Paused\(at); 'pipit models pull \(request)' goes on from there."
  }

  /// What a pull would do.
  static func plan(_ plan: PullPlan) -> [String] {
    let files = plan.fileCount == 1 ? "1 file" : "\(plan.fileCount) files"
    let size = plan.byteCount.map { Figures.bytes($0) } ?? "size not known"
    let verb =
      if case .inPlace = plan.method { "uses in place" } else { "from" }
    return [
      "\(plan.title): \(size) in \(files), \(verb) \(plan.source).",
      "Licence: \(plan.licence ?? "not stated").",
    ]
  }

  /// A line about one form of a model.
  static func variant(_ variant: CatalogVariant, of model: CatalogModel) -> String {
    let size = CatalogChoice(model: model, variant: variant).estimatedByteCount
    let mark = variant.byteCount == nil ? "~" : ""
    return "\(model.name):\(variant.name)  \(variant.format.rawValue)  "
      + "\(mark)\(Figures.bytes(size))  \(variant.sources[0].summary)"
  }

  static func question(_ plan: PullPlan) -> String {
    if case .inPlace = plan.method { return "Use it?" }
    return "Fetch it?"
  }

  static func retrying(_ note: RetryNote) -> String {
    let fact =
      switch note.error {
      case .unreachable(let host, _): "No connection to \(host)"
      case .interrupted(let host, _): "No answer from \(host)"
      case .rateLimited(let host, _): "\(host) asks to wait"
      case .status(let host, let status): "\(host) answered with status \(status)"
      case .badResponse(let host, _): "A wrong answer from \(host)"
      case .size(let file, _, _): "A wrong size of \(file)"
      case .changed(let file): "Another version of \(file)"
      default: note.error.description
      }
    return "\(fact), trying again (\(note.attempt) of \(note.attempts))"
  }

  /// How a model fits, with another where it does not.
  static func fit(
    _ verdict: FitVerdict, needed: Int?, available: Int?, alternative: String?
  ) -> String {
    let numbers: String
    if let needed, let available {
      numbers =
        ": it needs about \(Figures.bytes(needed)), and \(Figures.bytes(available)) is available"
    } else {
      numbers = ""
    }
    let other = alternative.map { " \($0) fits well." } ?? ""
    switch verdict {
    case .comfortable: return "It fits this machine's memory well\(numbers)."
    case .tight(let context):
      return """
        It fits this machine's memory tightly\(numbers); the longest context is \
        \(Figures.tokens(context)).\(other)
        """
    case .tooLarge: return "It does not fit this machine's memory\(numbers).\(other)"
    case .unknown: return "Whether it fits this machine's memory is not known before it is here."
    }
  }

  static func verified(_ report: VerifyReport) -> [String] {
    var lines = report.files.map { file, state in
      switch state {
      case .sound: "\(report.name)/\(file): sound"
      case .recorded: "\(report.name)/\(file): its digest was not known, and is now"
      case .unrecorded:
        "\(report.name)/\(file): its digest was not known, and cannot be written down here"
      case .missing: "\(report.name)/\(file): missing"
      case .damaged(let expected, let found):
        "\(report.name)/\(file): damaged (\(found.prefix(12))…, not \(expected.prefix(12))…)"
      }
    }
    if !report.isSound {
      lines.append(
        report.isBundled
          ? "It came with Pipit; Scripts/quickstart puts it right."
          : "'pipit models rm \(report.name)' and another pull or add put that right.")
    }
    return lines
  }

  static func prepared(_ bytes: Int, in folder: String) -> String {
    "\(Figures.bytes(bytes)) in \(folder)"
  }

  static func leftover(_ item: Leftover) -> String {
    let what =
      switch item.kind {
      case .removed: "removed"
      case .unfinished: "download not finished"
      }
    return "\(item.name)  \(Figures.bytes(item.byteCount))  \(what)"
  }

  static func busyLeftover(_ item: Leftover) -> String {
    "\(item.name) stays: another pipit is working on it."
  }

  static func freeQuestion(_ bytes: Int) -> String {
    "Free \(Figures.bytes(bytes)) for good?"
  }

  static func freed(_ bytes: Int) -> String { "\(Figures.bytes(bytes)) freed." }
}
