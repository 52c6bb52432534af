/// The text that a perplexity is of.
enum PerplexityText {
  /// A file as text, without its last newline, as llama.cpp reads it.
  static func read(_ path: String) throws -> String {
    var bytes = try FileFailure.read(path)
    if bytes.last == 0x0A { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let fault = BinaryInput.invalidUTF8(offset: StandardInput.firstInvalidByte(bytes))
      throw path == "-" ? ArgumentError.binaryInput(fault) : .binaryFile(path: path, fault)
    }
    return text
  }
}
