/// A conversation that this process alone may write, for as long as this is referred to.
package final class OpenConversation: Sendable {
  package let id: ConversationID
  private let lock: FileLock

  init(id: ConversationID, lock: FileLock) {
    self.id = id
    self.lock = lock
  }
}
