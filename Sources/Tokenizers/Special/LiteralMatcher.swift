/// Finds the literals of special tokens in a text: leftmost first, and of those that start
/// together the longest.
///
/// The literals are sorted. Reading the text byte by byte narrows the range of literals that
/// still agree, so a position costs no more than the longest literal, and almost always one
/// look at the first byte.
struct LiteralMatcher: Sendable {
  /// A special token in a text.
  struct Match: Sendable, Hashable {
    var id: TokenID
    var range: Range<Int>
  }

  struct Literal: Sendable {
    var id: TokenID
    var isControl: Bool
    var bytes: [UInt8]
    /// One Unicode scalar, so that no guard fits inside.
    var isSingleScalar: Bool

    init(id: TokenID, isControl: Bool, bytes: [UInt8]) {
      self.id = id
      self.isControl = isControl
      self.bytes = bytes
      isSingleScalar = bytes.count(where: { $0 & 0xC0 != 0x80 }) <= 1
    }
  }

  /// In ascending order of their bytes.
  let literals: [Literal]
  /// The literals that start with each byte.
  private let starts: [Range<Int>]

  init(_ unordered: [Literal]) {
    literals = unordered.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    var starts = [Range<Int>](repeating: 0..<0, count: 256)
    for (index, literal) in literals.enumerated() {
      guard let first = literal.bytes.first else { continue }
      let lower = starts[Int(first)].isEmpty ? index : starts[Int(first)].lowerBound
      starts[Int(first)] = lower..<index + 1
    }
    self.starts = starts
  }

  /// The first match at or after `position`.
  ///
  /// `guards` are ascending places that no control
  /// token spans, `nextGuard` the first of them not before `position`.
  func next(
    in text: Span<UInt8>, from position: Int, guards: [Int], nextGuard: inout Int
  ) -> Match? {
    var position = position
    while position < text.count {
      if !starts[Int(text[position])].isEmpty {
        while nextGuard < guards.count, guards[nextGuard] < position { nextGuard += 1 }
        if let match = longest(in: text, at: position, guards: guards, nextGuard: nextGuard) {
          return match
        }
      }
      position += 1
    }
    return nil
  }

  private func longest(
    in text: Span<UInt8>, at start: Int, guards: [Int], nextGuard: Int
  ) -> Match? {
    var inner = nextGuard
    let isGuardedBefore = inner < guards.count && guards[inner] == start
    if isGuardedBefore { inner += 1 }
    let barrier = inner < guards.count ? guards[inner] : Int.max

    var best: Match?
    forEachLiteral(in: text, at: start) { literal in
      let end = start + literal.bytes.count
      if literal.isControl {
        guard end <= barrier else { return }
        if literal.isSingleScalar, isGuardedBefore, end == barrier { return }
      }
      best = Match(id: literal.id, range: start..<end)
    }
    return best
  }

  /// The literals that `text` has at `start`, shortest first.
  func forEachLiteral(in text: Span<UInt8>, at start: Int, _ body: (Literal) -> Void) {
    var candidates = starts[Int(text[start])]
    var depth = 1
    while let first = candidates.first {
      if literals[first].bytes.count == depth {
        body(literals[first])
        candidates = first + 1..<candidates.upperBound
      }
      guard start + depth < text.count else { return }
      candidates = narrow(candidates, to: text[start + depth], at: depth)
      depth += 1
    }
  }

  /// Those of `candidates`, which agree in their first `depth` bytes, that go on with `byte`.
  private func narrow(_ candidates: Range<Int>, to byte: UInt8, at depth: Int) -> Range<Int> {
    let lower = partition(candidates) { literals[$0].bytes[depth] >= byte }
    let upper = partition(lower..<candidates.upperBound) { literals[$0].bytes[depth] > byte }
    return lower..<upper
  }

  /// The first of `range` for which `isAfter` holds, which it does for all that follow.
  private func partition(_ range: Range<Int>, _ isAfter: (Int) -> Bool) -> Int {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper {
      let middle = lower + (upper - lower) / 2
      if isAfter(middle) { upper = middle } else { lower = middle + 1 }
    }
    return lower
  }
}
