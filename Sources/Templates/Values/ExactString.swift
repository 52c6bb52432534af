/// A string compared by its code points: Swift's own equality is canonical equivalence, under
/// which two different dictionary keys of a JSON document could be one.
struct ExactString: Hashable, Sendable {
  let string: String

  init(_ string: String) { self.string = string }

  static func == (left: ExactString, right: ExactString) -> Bool {
    left.string.equals(right.string)
  }

  func hash(into hasher: inout Hasher) {
    // Strings of the same code points are canonically equivalent, so this agrees with `==`.
    hasher.combine(string)
  }
}

extension String {
  /// Whether the code points are the same.
  func equals(_ other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  /// Whether the code points sort before those of `other`, as Python compares.
  func precedes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
