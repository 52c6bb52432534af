import Dispatch
import Inference
import Synchronization

extension ConversationStore {
  /// The conversations in which all words and quoted phrases of `query` occur, whatever their
  /// case, in the title or in any message of any branch; those that fit best first.
  ///
  /// Reads every document. They are ranked by BM25, with what stands in the title counting four
  /// times, and of two that fit as well the later one comes first.
  ///
  /// - Throws: `StoreFailure`.
  package func search(
    _ query: String, limit: Int = 20, includingDeleted: Bool = false
  ) throws -> [SearchHit] {
    let query = SearchQuery(query)
    guard !query.terms.isEmpty, limit > 0 else { return [] }
    let summaries = try list(includingDeleted: includingDeleted).summaries
    let matches = matches(query, in: summaries)
    return rank(matches, of: summaries.count, terms: query.terms.count).prefix(limit)
      .compactMap { ranked in hit(ranked.match, score: ranked.score, query) }
  }

  /// What occurs in one conversation.
  private struct Match: Sendable {
    var summary: ConversationSummary
    /// Of each term.
    var counts: [Int]
    /// Bytes of its texts.
    var length: Int
    /// The message in which most of the terms occur, and those most often.
    var bestNode: Int?
  }

  private func matches(_ query: SearchQuery, in summaries: [ConversationSummary]) -> [Match?] {
    let found = Mutex([Match?](repeating: nil, count: summaries.count))
    let files = files
    // In batches, so that the lock is not taken for each.
    let batch = 64
    DispatchQueue.concurrentPerform(iterations: (summaries.count + batch - 1) / batch) { number in
      let range = (number * batch)..<min((number + 1) * batch, summaries.count)
      let matches = range.map { Self.match(query, summaries[$0], files) }
      found.withLock { $0.replaceSubrange(range, with: matches) }
    }
    return found.withLock { $0 }
  }

  private static func match(
    _ query: SearchQuery, _ summary: ConversationSummary, _ files: DurableStore
  ) -> Match? {
    guard let bytes = try? files.read(StoreNames.document(summary.id)) else { return nil }
    let title = Array(summary.title.utf8)
    var match = Match(
      summary: summary,
      counts: query.terms.map { 4 * $0.plain.count(in: title, 0..<title.count) }, length: 1)
    var best = (terms: 0, count: 0)
    for message in DocumentSkimmer.messages(in: bytes) {
      var here = (terms: 0, count: 0)
      for range in [message.content, message.reasoning] {
        guard let range else { continue }
        match.length += range.count
        for (index, term) in query.terms.enumerated() {
          let count = term.json.count(in: bytes, range)
          match.counts[index] += count
          here.terms += count > 0 ? 1 : 0
          here.count += count
        }
      }
      if here > best { (best, match.bestNode) = (here, message.id) }
    }
    return match.counts.contains(0) ? nil : match
  }

  private struct Ranked {
    var match: Match
    var score: Double
  }

  private func rank(_ matches: [Match?], of total: Int, terms: Int) -> [Ranked] {
    let matches = matches.compactMap { $0 }
    let averageLength =
      Double(matches.reduce(0) { $0 + $1.length }) / Double(max(matches.count, 1))
    // All terms occur in each of them, so how rare a term is weighs the same in all.
    let (saturation, lengthWeight) = (1.2, 0.75)
    return matches.map { match in
      let length = 1 - lengthWeight + lengthWeight * Double(match.length) / averageLength
      let score = match.counts.reduce(0.0) { sum, count in
        let count = Double(count)
        return sum + count * (saturation + 1) / (count + saturation * length)
      }
      return Ranked(match: match, score: score)
    }.sorted { left, right in
      left.score == right.score
        ? left.match.summary.updated > right.match.summary.updated : left.score > right.score
    }
  }

  private func hit(_ match: Match, score: Double, _ query: SearchQuery) -> SearchHit? {
    var text = match.summary.title
    if let id = match.bestNode {
      guard let node = try? load(match.summary.id).tree[id] else { return nil }
      let parts = [node.message.content, node.message.reasoning ?? ""]
      text =
        parts.first { part in
          let bytes = Array(part.utf8)
          return query.terms.contains {
            $0.plain.firstMatch(in: bytes, 0..<bytes.count) != nil
          }
        } ?? node.message.content
    }
    return SearchHit(
      summary: match.summary, score: score, nodeID: match.bestNode,
      matchCount: match.counts.reduce(0, +), snippet: Snippet(of: text, query))
  }
}
