/// The text that comes before a prompt.
enum StandardInput {
  /// More bytes than any context holds as text; reading stops there.
  static let limit = 64 << 20
  /// How long a pipe may be silent before the reader is told what is waited for.
  private static let patience: Int32 = 1000

  /// Reads standard input to its end as UTF-8, without a byte order mark and the last newlines.
  ///
  /// `onSilence` is called once if a pipe says nothing for a second. Empty when it is closed.
  static func readText(onSilence: () -> Void) throws -> String {
    let kind = Descriptor.input.kind
    if kind == .closed { return "" }
    var bytes: [UInt8] = []
    var isPatient = kind == .pipe
    while true {
      if isPatient, !Descriptor.input.isReadable(within: patience) {
        isPatient = false
        onSilence()
      }
      let chunk = try Descriptor.input.read(1 << 16)
      if chunk.isEmpty { break }
      if let zero = chunk.firstIndex(of: 0) {
        throw ArgumentError.binaryInput(.zeroByte(offset: bytes.count + zero))
      }
      bytes += chunk
      if bytes.count > limit { throw InputError.tooLong(path: nil, limit: limit) }
    }
    return try text(bytes)
  }

  /// The bytes as text, or the place of the first that is not.
  static func text(_ bytes: [UInt8]) throws(ArgumentError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .binaryInput(.invalidUTF8(offset: firstInvalidByte(bytes)))
    }
    var scalars = text.unicodeScalars[...]
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    while scalars.last == "\n" || scalars.last == "\r" { scalars.removeLast() }
    return String(scalars)
  }

  /// Where the first byte is that cannot be text.
  static func firstInvalidByte(_ bytes: [UInt8]) -> Int {
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    var offset = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      offset += UTF8.width(scalar)
    }
    return offset
  }
}

/// Standard input or a file that is text but cannot be used.
enum InputError: Error, Equatable {
  /// Without a path it is standard input.
  case tooLong(path: String?, limit: Int)
}
