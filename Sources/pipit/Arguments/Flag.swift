/// One flag: its names, what it does to the options, and its line of help.
struct Flag: Sendable {
  /// Where help lists it.
  enum Section: String, CaseIterable, Sendable {
    case command = "Options"
    case model = "Model"
    case sampling = "Sampling"
    case thinking = "Thinking"
    case output = "Output"
  }

  /// How it reads its value.
  enum Action: Sendable {
    case toggle(@Sendable (inout Options) -> Void)
    case value(
      placeholder: String, @Sendable (String, inout Options) throws(ValueProblem) -> Void)
  }

  /// Short name first when there is one: `-m`, `--model`.
  let names: [String]
  let section: Section
  let help: String
  /// Another flag of which only one may be given.
  let excludes: String?
  let action: Action
  /// The values it takes, where they can be counted.
  var choices: [String] = []

  /// The long name, which stands for the flag in messages.
  var name: String { names.last ?? "" }

  var placeholder: String? {
    if case .value(let placeholder, _) = action { return placeholder }
    return nil
  }
}

extension Flag {
  static func toggle(
    _ names: String..., section: Section, excludes: String? = nil, _ help: String,
    set: @escaping @Sendable (inout Options) -> Void
  ) -> Flag {
    Flag(names: names, section: section, help: help, excludes: excludes, action: .toggle(set))
  }

  static func text(
    _ names: String..., placeholder: String, section: Section, _ help: String,
    set: @escaping @Sendable (String, inout Options) throws(ValueProblem) -> Void
  ) -> Flag {
    Flag(
      names: names, section: section, help: help, excludes: nil,
      action: .value(placeholder: placeholder, set))
  }

  static func integer(
    _ names: String..., in range: ClosedRange<Int>, section: Section, _ help: String,
    set: @escaping @Sendable (Int, inout Options) -> Void
  ) -> Flag {
    Flag(
      names: names, section: section, help: help, excludes: nil,
      action: .value(placeholder: "N") { (text, options) throws(ValueProblem) in
        set(try parseInteger(text, in: range), &options)
      })
  }

  static func number(
    _ names: String..., in range: ClosedRange<Double>, section: Section, _ help: String,
    set: @escaping @Sendable (Double, inout Options) -> Void
  ) -> Flag {
    Flag(
      names: names, section: section, help: help, excludes: nil,
      action: .value(placeholder: "X") { (text, options) throws(ValueProblem) in
        guard let value = Double(text), value.isFinite else { throw .notANumber }
        guard range.contains(value) else { throw .numberOutside(range) }
        set(value, &options)
      })
  }

  static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
    _ names: String..., placeholder: String, of type: Value.Type, section: Section, _ help: String,
    set: @escaping @Sendable (Value, inout Options) -> Void
  ) -> Flag where Value.RawValue == String {
    Flag(
      names: names, section: section, help: help, excludes: nil,
      action: .value(placeholder: placeholder) { (text, options) throws(ValueProblem) in
        guard let value = Value(rawValue: text) else {
          throw .notOneOf(Value.allCases.map(\.rawValue))
        }
        set(value, &options)
      },
      choices: Value.allCases.map(\.rawValue))
  }
}

/// A whole decimal number in a range.
func parseInteger(_ text: String, in range: ClosedRange<Int>) throws(ValueProblem) -> Int {
  guard let value = Int(text) else { throw .notAnInteger }
  guard range.contains(value) else { throw .integerOutside(range) }
  return value
}
