/// Who speaks in a message.
package enum Role: String, Codable, Sendable, Hashable, CaseIterable {
  case system
  case user
  case assistant
  case tool
}
