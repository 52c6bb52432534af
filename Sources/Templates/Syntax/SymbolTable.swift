/// The names of variables in one template, numbered so that scopes compare integers.
struct SymbolTable: Sendable {
  private(set) var names: [String] = []
  private var numbers: [ExactString: Int] = [:]

  mutating func number(of name: String) -> Int {
    if let number = numbers[ExactString(name)] { return number }
    let number = names.count
    names.append(name)
    numbers[ExactString(name)] = number
    return number
  }
}
