import CPCRE2

/// A compiled regular expression, from a file that nobody vouches for.
///
/// Every match is bounded in steps, depth and memory, and running into a bound is an error, never
/// "no match". Matching uses PCRE2's JIT compiler where the platform allows it.
///
/// Invariant: `code` is not changed after `init`, and PCRE2 allows any number of threads to match
/// with one code; what a match writes to is made for each call.
@safe
final class Pattern: @unchecked Sendable {
  private static let lengthLimit = 16_384

  private let source: String
  private let code: OpaquePointer

  /// Compiles a pattern in the syntax of tokenizer.json.
  init(_ source: String) throws(TokenizerError) {
    self.source = source
    guard source.utf8.count <= Self.lengthLimit else {
      throw .tooMany(
        of: "bytes of pattern", count: source.utf8.count, limit: Self.lengthLimit)
    }
    let translated = try PatternTranslator.translate(source)
    guard let context = unsafe pcre2_compile_context_create_8(nil) else { throw .outOfMemory }
    defer { unsafe pcre2_compile_context_free_8(context) }
    unsafe pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_LF))
    unsafe pcre2_set_parens_nest_limit_8(context, 100)
    var failure: Int32 = 0
    var offset = 0
    let options = UInt32(PCRE2_UTF) | UInt32(PCRE2_UCP) | UInt32(PCRE2_NEVER_BACKSLASH_C)
    let pattern = Array(translated.utf8)
    let code = unsafe pattern.withUnsafeBufferPointer { buffer in
      unsafe pcre2_compile_8(
        buffer.baseAddress, buffer.count, options, &failure, &offset, context)
    }
    guard let code = unsafe code else {
      throw .invalidPattern(source, offset: offset, reason: Self.message(failure))
    }
    unsafe self.code = code
    // Failure to compile to machine code leaves the interpreter, which gives the same matches.
    _ = unsafe pcre2_jit_compile_8(code, UInt32(PCRE2_JIT_COMPLETE))
  }

  deinit {
    unsafe pcre2_code_free_8(code)
  }

  /// Appends the matches in `range` of `text`, ascending and apart, to `matches`.
  ///
  /// The pattern sees nothing outside `range`, which must start and end between characters.
  func appendMatches(
    in text: Span<UInt8>, _ range: Range<Int>, with scratch: MatchScratch,
    to matches: inout [Range<Int>]
  ) throws(TokenizerError) {
    let part = text.extracting(range)
    let status = unsafe part.withUnsafeBufferPointer { part in
      unsafe scratch.appendMatches(of: code, in: part, offset: range.lowerBound, to: &matches)
    }
    if let failure = status {
      throw .patternFailed(
        source, offset: range.lowerBound + failure.offset, reason: Self.message(failure.code))
    }
  }

  private static func message(_ code: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
      unsafe pcre2_get_error_message_8(code, buffer.baseAddress, buffer.count)
    }
    return count < 0 ? "error \(code)" : String(decoding: buffer.prefix(Int(count)), as: UTF8.self)
  }
}

/// What PCRE2 writes to while it matches, and the bounds of one match.
///
/// Invariant: the pointers live from `init` to `deinit`, and the instance stays in one call.
@safe
final class MatchScratch {
  fileprivate struct Failure {
    var code: Int32
    var offset: Int
  }

  private let data: OpaquePointer
  private let context: OpaquePointer

  /// For texts of up to `length` bytes.
  init(length: Int) throws(TokenizerError) {
    guard let data = unsafe pcre2_match_data_create_8(1, nil) else { throw .outOfMemory }
    guard let context = unsafe pcre2_match_context_create_8(nil) else {
      unsafe pcre2_match_data_free_8(data)
      throw .outOfMemory
    }
    unsafe self.data = data
    unsafe self.context = context
    // A run of white space may be walked a few times; anything beyond that is a pattern gone
    // wild.
    let steps = UInt32(clamping: 20_000 + 8 * length)
    unsafe pcre2_set_match_limit_8(context, steps)
    unsafe pcre2_set_depth_limit_8(context, steps)
    unsafe pcre2_set_heap_limit_8(context, 32_768)
  }

  deinit {
    unsafe pcre2_match_context_free_8(context)
    unsafe pcre2_match_data_free_8(data)
  }

  /// Appends the matches in `text`, each `offset` further on; where and why that failed if so.
  fileprivate func appendMatches(
    of code: OpaquePointer, in text: UnsafeBufferPointer<UInt8>, offset: Int,
    to matches: inout [Range<Int>]
  ) -> Failure? {
    guard let ends = unsafe pcre2_get_ovector_pointer_8(data) else { return nil }
    var start = 0
    while start < text.count {
      var status = unsafe pcre2_match_8(
        code, text.baseAddress, text.count, start, UInt32(PCRE2_NO_UTF_CHECK), data, context)
      if status == PCRE2_ERROR_JIT_STACKLIMIT {
        // Machine code has 32 KB for what it may have to come back to, the interpreter more.
        status = unsafe pcre2_match_8(
          code, text.baseAddress, text.count, start,
          UInt32(PCRE2_NO_UTF_CHECK) | UInt32(PCRE2_NO_JIT), data, context)
      }
      if status == PCRE2_ERROR_NOMATCH { return nil }
      guard status >= 0 else { return Failure(code: status, offset: start) }
      let (lower, upper) = unsafe (ends[0], ends[1])
      // Only `\K` could move the start so, and the translator refuses it.
      guard start <= lower, lower <= upper, upper <= text.count else {
        return Failure(code: PCRE2_ERROR_INTERNAL, offset: start)
      }
      matches.append(offset + lower..<offset + upper)
      start = upper
      if lower == upper {
        repeat { start += 1 } while unsafe start < text.count && text[start] & 0xC0 == 0x80
      }
    }
    return nil
  }
}
