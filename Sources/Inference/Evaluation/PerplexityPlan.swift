package import Tokenizers

/// Which tokens of a text are predicted from which, by llama.cpp's definition of perplexity.
///
/// The text's tokens are cut into chunks of equal length, the rest is dropped. Each chunk is read
/// from an empty context, and the tokens of its second half are predicted, but for the first of
/// them: every prediction has half a chunk before it at least.
package struct PerplexityPlan: Sendable, Hashable {
  private let tokens: [TokenID]
  private let beginning: TokenID?
  /// Tokens of a chunk.
  package let chunkLength: Int

  /// The usual length of a chunk.
  package static let usualChunkLength = 512
  /// The shortest chunk with something to predict.
  package static let shortestChunkLength = 3

  /// A plan for the tokens of a text, without a beginning-of-text token.
  ///
  /// `beginning` is that token where the model wants one: it goes before the text, and takes the
  /// place of the first token of each chunk.
  ///
  /// - Throws: `PerplexityError`.
  package init(
    _ text: [TokenID], beginning: TokenID?, chunkLength: Int
  ) throws(PerplexityError) {
    guard chunkLength >= Self.shortestChunkLength else {
      throw .chunkTooShort(length: chunkLength, shortest: Self.shortestChunkLength)
    }
    tokens = (beginning.map { [$0] } ?? []) + text
    self.beginning = beginning
    self.chunkLength = chunkLength
    guard tokens.count / 2 >= chunkLength else {
      throw .textTooShort(tokens: tokens.count, chunkLength: chunkLength)
    }
  }

  package var chunkCount: Int { tokens.count / chunkLength }

  /// The position in a chunk whose successor is predicted first.
  package var firstPosition: Int { chunkLength / 2 }

  /// Predictions of a chunk.
  package var predictions: Int { chunkLength - 1 - firstPosition }

  /// The tokens of a chunk.
  package func chunk(_ index: Int) -> [TokenID] {
    var chunk = Array(tokens[index * chunkLength..<(index + 1) * chunkLength])
    if let beginning { chunk[0] = beginning }
    return chunk
  }
}

/// Why a text has no perplexity.
package enum PerplexityError: Error, Hashable, CustomStringConvertible {
  case chunkTooShort(length: Int, shortest: Int)
  case textTooShort(tokens: Int, chunkLength: Int)

  package var description: String {
    switch self {
    case .chunkTooShort(let length, let shortest):
      "Chunks of \(length) tokens leave nothing to predict; the shortest are of \(shortest)."
    case .textTooShort(let tokens, let chunkLength):
      "The text has \(tokens) tokens, but perplexity needs two chunks of \(chunkLength)."
    }
  }
}
