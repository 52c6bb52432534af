/// Names that may become files' names when they come from outside.
enum FileNames {
  /// Whether a name is one plain component of a path: not hidden, no slash, no control character.
  static func isSafe(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 200 && !name.hasPrefix(".")
      && name.unicodeScalars.allSatisfy {
        $0 != "/" && $0 != "\\" && $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
      }
  }
}
