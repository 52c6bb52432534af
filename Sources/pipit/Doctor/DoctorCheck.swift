import JSON

/// What one check of `pipit doctor` found.
struct DoctorCheck: Sendable {
  enum State: String, Sendable {
    case sound = "ok"
    /// Worth knowing, and no fault.
    case notice
    case fault
  }

  /// What was looked at, in one or two words.
  let name: String
  var state: State
  /// What was found.
  let finding: String
  /// What to do about it.
  var remedy: String?
  /// The same in numbers.
  var figures: [(String, JSONValue)] = []

  static func sound(
    _ name: String, _ finding: String, _ figures: [(String, JSONValue)] = []
  ) -> DoctorCheck {
    DoctorCheck(name: name, state: .sound, finding: finding, figures: figures)
  }

  static func notice(
    _ name: String, _ finding: String, remedy: String? = nil, _ figures: [(String, JSONValue)] = []
  ) -> DoctorCheck {
    DoctorCheck(name: name, state: .notice, finding: finding, remedy: remedy, figures: figures)
  }

  static func fault(
    _ name: String, _ finding: String, remedy: String, _ figures: [(String, JSONValue)] = []
  ) -> DoctorCheck {
    DoctorCheck(name: name, state: .fault, finding: finding, remedy: remedy, figures: figures)
  }

  var json: JSONValue {
    .members(
      [
        ("check", .string(name)), ("state", .string(state.rawValue)),
        ("finding", .string(finding)), ("remedy", .optional(remedy)),
      ] + figures)
  }
}
