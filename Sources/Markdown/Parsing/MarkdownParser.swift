import Synchronization
import CMarkdown

/// Markdown into blocks: CommonMark with tables, tasks and strike-through, and mathematics.
package enum MarkdownParser {
  /// A block and the line it begins on, counted from 0.
  package struct Placed: Sendable, Hashable {
    package var block: Block
    package var line: Int
  }

  /// Deeper nesting than this is shown as plain text; the library allows any depth.
  static let deepestNesting = 12

  /// The blocks of a document.
  ///
  /// Never fails: what is not markup is text.
  package static func parse(_ source: String) -> [Placed] {
    let (text, spans, lines) = MathSpans.replaced(in: source)
    return unsafe withDocument(text) { document in
      let reader = NodeReader(math: spans, lines: lines)
      return unsafe children(of: document).compactMap { node in
        guard let block = unsafe reader.block(node, depth: 0) else { return nil }
        let line = unsafe Int(cmark_node_get_start_line(node)) - 1
        return Placed(block: block, line: reader.sourceLine(line))
      }
    }
  }

  private static let extensions = ["table", "strikethrough", "tasklist"]

  /// Registering is not safe to do twice at a time.
  private static let areRegistered: Bool = {
    cmark_gfm_core_extensions_ensure_registered()
    return true
  }()

  /// The library keeps the characters that extensions look for in one table for all parsers, and empties
  /// it when any of them is done: two at a time would miss each other's.
  private static let oneAtATime = Mutex(())

  private static func withDocument(
    _ text: String, _ body: (OpaquePointer) -> [Placed]
  ) -> [Placed] {
    oneAtATime.withLock { _ in unsafe document(text, body) }
  }

  private static func document(
    _ text: String, _ body: (OpaquePointer) -> [Placed]
  ) -> [Placed] {
    guard areRegistered, let parser = unsafe cmark_parser_new(CMARK_OPT_DEFAULT) else { return [] }
    defer { unsafe cmark_parser_free(parser) }
    for name in extensions {
      if let found = unsafe cmark_find_syntax_extension(name) {
        _ = unsafe cmark_parser_attach_syntax_extension(parser, found)
      }
    }
    var text = text
    text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe cmark_parser_feed(parser, characters.baseAddress, characters.count)
      }
    }
    guard let document = unsafe cmark_parser_finish(parser) else { return [] }
    defer { unsafe cmark_node_free(document) }
    return unsafe body(document)
  }

  static func children(of node: OpaquePointer) -> [OpaquePointer] {
    var children: [OpaquePointer] = unsafe []
    var next = unsafe cmark_node_first_child(node)
    while let child = unsafe next {
      unsafe children.append(child)
      unsafe next = cmark_node_next(child)
    }
    return unsafe children
  }
}
