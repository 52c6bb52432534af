// A conversation's file is one JSON object with one message to a line:
//
//     {"format":"pipit conversation","version":1,"id":"…","title":"…",…,"messages":[
//     {"id":0,"role":"user","content":"…"},
//     {"id":1,"parent":0,"role":"assistant","content":"…",…,"tokens":{…}}
//     ]}
//
// The lines are for people who look into it and for what can be saved of one that is damaged. What
// this version does not know is kept: a message that is not changed is written as it was read, and
// in one that is, and in what comes before the messages, unknown members stay.

package import JSON

/// What the file of a conversation says of its own form.
package enum DocumentForm {
  package static let name = "pipit conversation"
  /// The form that is written.
  package static let version = 1

  /// Turns a document of one version into one of the next.
  package typealias Migration = @Sendable (JSONObject) throws -> JSONObject

  /// From each earlier version to the one after it.
  ///
  /// A new form adds its step, and a file of the old one to the tests.
  package static let migrations: [Int: Migration] = [:]
}

/// Why bytes are no conversation.
package enum DocumentError: Error, Hashable {
  case malformed(JSONError)
  case notAConversation
  /// There is no way from that version to the present one.
  case unknownVersion(Int)
}

/// All members of a document but its messages, in their order.
struct DocumentRecord: Sendable {
  var members: JSONObject
}
