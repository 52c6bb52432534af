/// A pattern for the paths of a model's layers, such as `*.down_proj` or `lm_head`.
///
/// `*` stands for any characters, dots too, and `?` for one; all else stands for itself, and the
/// whole path has to match.
package struct PathPattern: Sendable, Hashable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  /// Whether a path matches, in time of their lengths' product at most.
  package func matches(_ path: String) -> Bool {
    let pattern = Array(text.utf8)
    let path = Array(path.utf8)
    var (at, position) = (0, 0)
    // Where to go on from when what follows the last star does not match.
    var (star, retry) = (-1, 0)
    while position < path.count {
      if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
        star = at
        retry = position
        at += 1
      } else if at < pattern.count,
        pattern[at] == path[position] || pattern[at] == UInt8(ascii: "?")
      {
        at += 1
        position += 1
      } else if star >= 0 {
        at = star + 1
        retry += 1
        position = retry
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
