/// The states of a search for several strings at once.
struct StopStringAutomaton: Sendable {
  typealias State = Int

  static let root: State = 0

  let strings: [String]
  private var nodes: [Node] = [Node(depth: 0)]

  private struct Node: Sendable {
    var depth: Int
    var children: [UInt8: State] = [:]
    /// The state of the longest proper end that is a beginning of some string.
    var fallback: State = StopStringAutomaton.root
    /// The longest string that ends here.
    var match: Int?
  }

  init(_ strings: [String]) {
    self.strings = strings
    for (index, string) in strings.enumerated() { insert(string, index: index) }
    linkFallbacks()
  }

  var isEmpty: Bool { strings.isEmpty }

  func depth(of state: State) -> Int { nodes[state].depth }

  func match(at state: State) -> Int? { nodes[state].match }

  /// The state after one more byte.
  func next(_ state: State, _ byte: UInt8) -> State {
    var state = state
    while true {
      if let child = nodes[state].children[byte] { return child }
      if state == Self.root { return Self.root }
      state = nodes[state].fallback
    }
  }

  private mutating func insert(_ string: String, index: Int) {
    var state = Self.root
    for byte in string.utf8 {
      if let child = nodes[state].children[byte] {
        state = child
      } else {
        nodes.append(Node(depth: nodes[state].depth + 1))
        nodes[state].children[byte] = nodes.count - 1
        state = nodes.count - 1
      }
    }
    nodes[state].match = nodes[state].match ?? index
  }

  /// Breadth first, so that a state's fallback is complete before the state is reached.
  private mutating func linkFallbacks() {
    var queue = Array(nodes[Self.root].children.values)
    var index = 0
    while index < queue.count {
      let state = queue[index]
      index += 1
      for (byte, child) in nodes[state].children {
        nodes[child].fallback = next(nodes[state].fallback, byte)
        queue.append(child)
      }
      nodes[state].match = nodes[state].match ?? nodes[nodes[state].fallback].match
    }
  }
}
