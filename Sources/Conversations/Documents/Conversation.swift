import Inference

/// All that is known of one conversation.
package struct Conversation: Sendable {
  package let id: ConversationID
  /// What it is called: its first line, unless the user has chosen.
  package var title: String {
    chosenTitle ?? firstTitle ?? ConversationTitle.untitled
  }
  /// The title that the user has chosen.
  package var chosenTitle: String?
  package let created: Timestamp
  /// When something was last said or changed.
  package var updated: Timestamp
  package var settings: ChatSettings
  /// The name of the model that it goes on with, as the user knows it.
  package var modelName: String?
  package var tree: ConversationTree
  package var isPinned = false
  /// When it was moved to the trash.
  package var deleted: Timestamp?

  /// Whether it was written by a later Pipit, whose words this one does not all know.
  package internal(set) var isReadOnly = false
  /// Messages that could not be read; they are kept as they are.
  package var unreadableRecords: Int { unreadable.count }

  /// The records of these messages.
  var unreadable: [[UInt8]] = []
  /// What the file said beside its messages, with whatever Pipit does not know.
  var record: DocumentRecord?

  /// An empty conversation.
  package init(
    id: ConversationID = ConversationID(), settings: ChatSettings, now: Timestamp = .now
  ) {
    self.id = id
    self.settings = settings
    created = now
    updated = now
    tree = ConversationTree()
  }

  init(
    id: ConversationID, created: Timestamp, updated: Timestamp, settings: ChatSettings,
    tree: ConversationTree
  ) {
    self.id = id
    self.created = created
    self.updated = updated
    self.settings = settings
    self.tree = tree
  }

  private var firstTitle: String? {
    tree.nodes.lazy.filter { $0.message.role == .user }
      .compactMap { ConversationTitle.make(from: $0.message.content) }.first
  }
}
