import Conversations
import Foundation
import Inference
import TestSupport

/// A store in a folder of its own.
struct StoreFixture {
  let scratch: ScratchDirectory
  let store: ConversationStore

  init(system: any SystemCalls = LiveSystem()) throws {
    scratch = try ScratchDirectory()
    store = Self.makeStore(scratch, system: system)
  }

  /// Another store on the folder, as another process would have it.
  func another(system: any SystemCalls = LiveSystem()) -> ConversationStore {
    Self.makeStore(scratch, system: system)
  }

  private static func makeStore(
    _ scratch: ScratchDirectory, system: any SystemCalls
  ) -> ConversationStore {
    ConversationStore(
      directory: scratch.path + "/conversations",
      sessions: SessionStore(directory: scratch.path + "/sessions"), system: system)
  }

  var directory: String { scratch.path + "/conversations" }

  /// The names of the store's files, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
  }

  func path(_ id: ConversationID) -> String { directory + "/conversation-\(id).json" }

  func text(_ id: ConversationID) throws -> String {
    try String(contentsOfFile: path(id), encoding: .utf8)
  }

  func write(_ text: String, _ id: ConversationID) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path(id)))
  }

  /// Keeps a conversation with these messages, by turns of the user and the model.
  @discardableResult
  func keep(
    _ messages: [String], updated: Timestamp = .now, title: String? = nil
  ) async throws -> ConversationID {
    var conversation = Conversation(settings: ChatSettings(), now: updated)
    conversation.chosenTitle = title
    for (index, text) in messages.enumerated() {
      let role: Role = index % 2 == 0 ? .user : .assistant
      let id = conversation.tree.append(
        ChatMessage(role, text), after: conversation.tree.leafID, created: updated)
      conversation.tree.update(id) { if role == .assistant { $0.stopReason = .endOfTurn } }
    }
    let open = try await store.create(conversation.id)
    let document = conversation.encodeDocument()
    try await store.write(document, ConversationSummary(conversation), to: open)
    return conversation.id
  }

  static let document = Fixtures(bundlePath: Bundle.module.bundlePath)
}
