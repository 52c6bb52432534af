/// The variables of one block, and the block around it.
///
/// A class because a macro shares the scope it was defined in; values hold no scopes, so there are
/// no cycles.
final class Scope {
  private let parent: Scope?
  private var symbols: [Int] = []
  private var values: [TemplateValue] = []

  init(parent: Scope?) { self.parent = parent }

  /// The value of a variable here or in a scope around.
  ///
  /// Complexity: O(variables in reach); templates have a handful.
  func value(of symbol: Int) -> TemplateValue? {
    var scope: Scope? = self
    while let current = scope {
      if let position = current.position(of: symbol) { return current.values[position] }
      scope = current.parent
    }
    return nil
  }

  /// Sets a variable in this scope.
  func set(_ symbol: Int, to value: TemplateValue) {
    if let position = position(of: symbol) {
      values[position] = value
    } else {
      symbols.append(symbol)
      values.append(value)
    }
  }

  /// Whether the variable is set in this very scope.
  func holds(_ symbol: Int) -> Bool { position(of: symbol) != nil }

  private func position(of symbol: Int) -> Int? { symbols.firstIndex(of: symbol) }
}
