extension String {
  /// The text as it may be shown on a terminal when it comes from a file: without control
  /// characters (C0, C1, DEL, so no escape sequence), without characters that reorder or hide
  /// text, and with line breaks as spaces; cut after `limit` characters.
  package func displayable(limit: Int = .max) -> String {
    var result = ""
    var length = 0
    for scalar in unicodeScalars {
      guard length < limit else { return result + "…" }
      switch scalar.value {
      case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: result.unicodeScalars.append(" ")
      case 0x00...0x1F, 0x7F...0x9F: continue
      // Zero-width and direction marks, embeddings, overrides, isolates, tags, byte order mark.
      case 0x061C, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
        0xE0000...0xE007F:
        continue
      default: result.unicodeScalars.append(scalar)
      }
      length += 1
    }
    return result
  }
}
