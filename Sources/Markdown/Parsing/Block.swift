/// A block of a document, as far as its look goes.
package indirect enum Block: Sendable, Hashable {
  case paragraph([Inline])
  case heading(level: Int, [Inline])
  /// A code block; `language` is the first word after its fence.
  case code(language: String, text: String, isFenced: Bool)
  case quote([Block])
  case list(List)
  case table(Table)
  case rule
  /// HTML, which is shown as it is written.
  case html(String)

  package struct List: Sendable, Hashable {
    /// The first number; nil for bullets.
    package var start: Int?
    package var items: [Item]
  }

  package struct Item: Sendable, Hashable {
    package var blocks: [Block]
    /// Of a task whether it is done; nil for other items.
    package var isDone: Bool?
    /// Whether an empty line stands before it.
    package var isSetOff: Bool
  }

  package struct Table: Sendable, Hashable {
    package var alignments: [Alignment]
    /// The header first.
    package var rows: [[[Inline]]]
  }

  package enum Alignment: Sendable, Hashable { case left, center, right }
}

/// Text within a block.
package indirect enum Inline: Sendable, Hashable {
  case text(String)
  case code(String)
  case emphasis([Inline])
  case strong([Inline])
  case strike([Inline])
  case link([Inline], url: String)
  /// Mathematics as characters, or as TeX where they do not suffice.
  case math(String)
  case lineBreak

  /// The characters alone.
  package var plainText: String {
    switch self {
    case .text(let text), .code(let text), .math(let text): text
    case .emphasis(let parts), .strong(let parts), .strike(let parts), .link(let parts, _):
      parts.map(\.plainText).joined()
    case .lineBreak: "\n"
    }
  }
}
