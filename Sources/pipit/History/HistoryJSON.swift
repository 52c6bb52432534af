import Conversations
import JSON

/// Conversations as JSON on standard output.
enum HistoryJSON {
  static func list(_ summaries: [ConversationSummary]) -> String {
    JSONValue.array(summaries.map { .members(members($0)) }).text
  }

  static func hits(_ hits: [SearchHit]) -> String {
    JSONValue.array(
      hits.map { hit in
        .members(
          members(hit.summary) + [
            ("score", .number(hit.score)), ("message", .optional(hit.nodeID)),
            ("matches", .integer(hit.matchCount)), ("snippet", .string(hit.snippet.text)),
          ])
      }
    ).text
  }

  private static func members(_ summary: ConversationSummary) -> [(String, JSONValue)] {
    [
      ("id", .string(summary.id.description)), ("title", .string(summary.title)),
      ("created", .string(summary.created.iso8601)),
      ("updated", .string(summary.updated.iso8601)), ("model", .optional(summary.model)),
      ("messages", .integer(summary.messageCount)), ("branches", .integer(summary.branchCount)),
      ("pinned", .bool(summary.isPinned)), ("deleted", .optional(summary.deleted?.iso8601)),
    ]
  }
}
