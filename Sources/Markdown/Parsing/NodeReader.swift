import CMarkdown

/// The library's nodes into values.
struct NodeReader {
  /// What the placeholders in the text stand for.
  let math: [String]
  /// Of each line of the text that was parsed, its line in the source.
  let lines: [Int]

  func sourceLine(_ line: Int) -> Int {
    lines.indices.contains(line) ? lines[line] : (lines.last ?? 0)
  }

  func block(_ node: OpaquePointer, depth: Int) -> Block? {
    if depth >= MarkdownParser.deepestNesting {
      return .paragraph([.text(unsafe plainText(node))])
    }
    switch unsafe kind(node) {
    case "paragraph": return .paragraph(unsafe inlines(node, depth: depth))
    case "heading":
      let level = unsafe Int(cmark_node_get_heading_level(node))
      return .heading(level: level, unsafe inlines(node, depth: depth))
    case "code_block": return unsafe code(node)
    case "block_quote": return .quote(unsafe blocks(node, depth: depth + 1))
    case "list": return .list(unsafe list(node, depth: depth))
    case "table": return .table(unsafe table(node, depth: depth))
    case "thematic_break": return .rule
    case "html_block": return .html(restored(unsafe literal(node)))
    default: return nil
    }
  }

  private func blocks(_ node: OpaquePointer, depth: Int) -> [Block] {
    unsafe MarkdownParser.children(of: node).compactMap { unsafe block($0, depth: depth) }
  }

  private func code(_ node: OpaquePointer) -> Block {
    let info = unsafe string(cmark_node_get_fence_info(node))
    var length: Int32 = 0
    var offset: Int32 = 0
    var character: CChar = 0
    let isFenced = unsafe cmark_node_get_fenced(node, &length, &offset, &character) != 0
    let language = info.split { $0 == " " || $0 == "\t" || $0 == "{" }.first ?? ""
    return .code(
      language: restored(String(language)), text: restored(unsafe literal(node)),
      isFenced: isFenced)
  }

  private func list(_ node: OpaquePointer, depth: Int) -> Block.List {
    var items: [Block.Item] = []
    var end: Int?
    let children = unsafe MarkdownParser.children(of: node)
    for index in unsafe children.indices {
      let child = unsafe children[index]
      let isTask = unsafe kind(child) == "tasklist"
      let start = unsafe Int(cmark_node_get_start_line(child))
      items.append(
        Block.Item(
          blocks: unsafe blocks(child, depth: depth + 1),
          isDone: isTask ? unsafe cmark_gfm_extensions_get_tasklist_item_checked(child) : nil,
          isSetOff: end.map { start > $0 + 1 } ?? false))
      end = unsafe lastLine(child)
    }
    let isOrdered = unsafe cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
    return Block.List(
      start: isOrdered ? unsafe Int(cmark_node_get_list_start(node)) : nil, items: items)
  }

  /// The last line with something on it: an item's own end takes in empty lines after it.
  private func lastLine(_ node: OpaquePointer) -> Int {
    var last = unsafe Int(cmark_node_get_start_line(node))
    var next: OpaquePointer? = unsafe node
    while let current = unsafe next {
      let type = unsafe kind(current)
      if !["list", "item", "tasklist"].contains(type) {
        unsafe last = max(last, Int(cmark_node_get_end_line(current)))
      }
      unsafe last = max(last, Int(cmark_node_get_start_line(current)))
      unsafe next =
        ["list", "item", "tasklist"].contains(type) ? cmark_node_last_child(current) : nil
    }
    return last
  }

  private func table(_ node: OpaquePointer, depth: Int) -> Block.Table {
    let count = unsafe Int(cmark_gfm_extensions_get_table_columns(node))
    var alignments = [Block.Alignment](repeating: .left, count: count)
    if let codes = unsafe cmark_gfm_extensions_get_table_alignments(node) {
      for column in 0..<count {
        switch unsafe codes[column] {
        case UInt8(ascii: "c"): alignments[column] = .center
        case UInt8(ascii: "r"): alignments[column] = .right
        default: break
        }
      }
    }
    let rows = unsafe MarkdownParser.children(of: node).map { row in
      unsafe MarkdownParser.children(of: row).map { unsafe inlines($0, depth: depth) }
    }
    return Block.Table(alignments: alignments, rows: rows)
  }

  private func inlines(_ node: OpaquePointer, depth: Int) -> [Inline] {
    if depth >= MarkdownParser.deepestNesting { return [.text(unsafe plainText(node))] }
    return unsafe MarkdownParser.children(of: node).flatMap { unsafe inline($0, depth: depth + 1) }
  }

  private func inline(_ node: OpaquePointer, depth: Int) -> [Inline] {
    switch unsafe kind(node) {
    case "text": return split(unsafe literal(node))
    case "softbreak": return [.text(" ")]
    case "linebreak": return [.lineBreak]
    case "code": return [.code(restored(unsafe literal(node)))]
    case "html_inline": return unsafe html(node)
    case "emph": return [.emphasis(unsafe inlines(node, depth: depth))]
    case "strong": return [.strong(unsafe inlines(node, depth: depth))]
    case "strikethrough": return [.strike(unsafe inlines(node, depth: depth))]
    case "link", "image":
      let url = restored(unsafe string(cmark_node_get_url(node)))
      return [.link(unsafe inlines(node, depth: depth), url: url)]
    default: return [.text(unsafe plainText(node))]
    }
  }

  private func html(_ node: OpaquePointer) -> [Inline] {
    let text = unsafe literal(node)
    if ["<br>", "<br/>", "<br />"].contains(text.lowercased()) { return [.lineBreak] }
    return split(text)
  }

  /// Text with its placeholders told apart.
  private func split(_ text: String) -> [Inline] {
    var parts: [Inline] = []
    for piece in MathSpans.pieces(of: text) {
      switch piece {
      case .text(let text): parts.append(.text(text))
      case .placeholder(let index) where math.indices.contains(index):
        parts.append(.math(TeX.unicode(of: math[index]) ?? math[index]))
      case .placeholder: break
      }
    }
    return parts
  }

  /// Text in which placeholders are the source again: code that mathematics was found in.
  private func restored(_ text: String) -> String {
    MathSpans.pieces(of: text).map { piece in
      switch piece {
      case .text(let text): text
      case .placeholder(let index): math.indices.contains(index) ? math[index] : ""
      }
    }.joined()
  }

  /// All text below a node, found without recursion.
  private func plainText(_ node: OpaquePointer) -> String {
    guard let iterator = unsafe cmark_iter_new(node) else { return "" }
    defer { unsafe cmark_iter_free(iterator) }
    var text = ""
    while true {
      let event = unsafe cmark_iter_next(iterator)
      if event == CMARK_EVENT_DONE || event == CMARK_EVENT_NONE { return restored(text) }
      guard event == CMARK_EVENT_ENTER, let current = unsafe cmark_iter_get_node(iterator) else {
        continue
      }
      switch unsafe kind(current) {
      case "softbreak", "linebreak": text += " "
      default: text += unsafe literal(current)
      }
    }
  }

  private func kind(_ node: OpaquePointer) -> String {
    unsafe string(cmark_node_get_type_string(node))
  }

  private func literal(_ node: OpaquePointer) -> String {
    unsafe string(cmark_node_get_literal(node))
  }

  private func string(_ characters: UnsafePointer<CChar>?) -> String {
    unsafe characters.map { unsafe String(cString: $0) } ?? ""
  }
}
