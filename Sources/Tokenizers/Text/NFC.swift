import CUTF8Proc

/// Unicode normalisation form C.
///
/// utf8proc's own decomposition sorts marks by exchanging neighbours, which is quadratic in a
/// run of marks, so only its tables and its (linear) composition are used.
@safe
enum NFC {
  /// The normal form of `text` (valid UTF-8); nil if it is plainly `text` itself.
  static func normalised(_ text: Span<UInt8>) throws(TokenizerError) -> [UInt8]? {
    guard mayChange(text) else { return nil }
    var scalars = try decomposed(text)
    sortMarks(&scalars)
    let count = unsafe scalars.withUnsafeMutableBufferPointer { buffer in
      unsafe utf8proc_normalize_utf32(buffer.baseAddress, buffer.count, options(compose: true))
    }
    guard count >= 0 else { throw .outOfMemory }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    for scalar in scalars.prefix(count) {
      append(scalar, to: &bytes)
    }
    return bytes
  }

  private static func options(compose: Bool) -> utf8proc_option_t {
    utf8proc_option_t(
      UTF8PROC_STABLE.rawValue
        | (compose ? UTF8PROC_COMPOSE.rawValue : UTF8PROC_DECOMPOSE.rawValue))
  }

  /// Everything below U+0300 is its own normal form, and 0xCC leads U+0300.
  private static func mayChange(_ text: Span<UInt8>) -> Bool {
    for position in 0..<text.count where text[position] >= 0xCC { return true }
    return false
  }

  private static func decomposed(
    _ text: Span<UInt8>
  ) throws(TokenizerError) -> [utf8proc_int32_t] {
    var scalars: [utf8proc_int32_t] = []
    scalars.reserveCapacity(text.count)
    // The longest canonical decomposition has four characters.
    var buffer = [utf8proc_int32_t](repeating: 0, count: 16)
    let options = options(compose: false)
    var position = 0
    while position < text.count {
      let scalar = scalar(in: text, at: &position)
      guard scalar >= 0xC0 else {
        scalars.append(scalar)
        continue
      }
      var boundary: Int32 = 0
      let count = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
        unsafe utf8proc_decompose_char(
          scalar, buffer.baseAddress, buffer.count, options, &boundary)
      }
      guard (0...buffer.count).contains(count) else { throw .outOfMemory }
      scalars.append(contentsOf: buffer[..<count])
    }
    return scalars
  }

  /// Puts each run of marks into ascending order of combining class, equals as they were.
  private static func sortMarks(_ scalars: inout [utf8proc_int32_t]) {
    var start = 0
    while start < scalars.count {
      guard combiningClass(scalars[start]) != 0 else {
        start += 1
        continue
      }
      var end = start + 1
      var isOrdered = true
      while end < scalars.count, case let next = combiningClass(scalars[end]), next != 0 {
        if next < combiningClass(scalars[end - 1]) { isOrdered = false }
        end += 1
      }
      if !isOrdered {
        let sorted = scalars[start..<end].enumerated().sorted {
          let (first, second) = (combiningClass($0.element), combiningClass($1.element))
          return (first, $0.offset) < (second, $1.offset)
        }
        for (offset, mark) in sorted.enumerated() { scalars[start + offset] = mark.element }
      }
      start = end
    }
  }

  private static func combiningClass(_ scalar: utf8proc_int32_t) -> Int16 {
    guard scalar >= 0x300 else { return 0 }
    return unsafe utf8proc_get_property(scalar).pointee.combining_class
  }

  private static func scalar(in text: Span<UInt8>, at position: inout Int) -> utf8proc_int32_t {
    let lead = text[position]
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var value = utf8proc_int32_t(length == 1 ? lead : lead & (0xFF >> UInt8(length + 1)))
    for offset in 1..<max(length, 1) where position + offset < text.count {
      value = value << 6 | utf8proc_int32_t(text[position + offset] & 0x3F)
    }
    position += length
    return value
  }

  private static func append(_ scalar: utf8proc_int32_t, to bytes: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(UInt32(bitPattern: scalar)) else { return }
    bytes.append(contentsOf: UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
  }
}
