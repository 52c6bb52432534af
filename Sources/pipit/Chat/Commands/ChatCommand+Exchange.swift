import Conversations
import Glibc
import Inference
import Markdown

/// Commands that bring text in and take it out.
extension ChatCommand {
  static let exchange: [ChatCommand] = [
    ChatCommand(
      name: "/export", argument: "md|json|txt [FILE]", help: "write this conversation to a file",
      detail: """
        Without FILE the file is named after the title, in the current directory; - shows it here. \
        A file that is there already is not overwritten. json has all branches, md and txt the \
        active one.
        """,
      completion: .files(after: ExportForm.allCases.map(\.rawValue))
    ) { chat, argument in
      try await chat.export(argument)
    },
    ChatCommand(
      name: "/copy", argument: "[code|all]", help: "copy the last reply to the clipboard",
      detail: "code is its last block of code, all is the whole conversation.",
      completion: .words(["code", "all"])
    ) { chat, argument in
      try await chat.copy(argument)
    },
    ChatCommand(
      name: "/attach", argument: "FILE|-", help: "send a text file with the next message",
      detail: """
        A file that the context has no room for is refused. - takes away what was attached and not \
        sent yet; /context shows it.
        """,
      completion: .files(after: [])
    ) { chat, argument in
      try await chat.attach(argument)
    },
  ]
}

/// A text file that goes with the next message.
struct Attachment: Sendable {
  let name: String
  let text: String

  /// The file as a part of a message, in a fence longer than any in it.
  var block: String {
    var longest = 2
    for line in text.split(separator: "\n") {
      longest = max(longest, line.drop { $0 == " " }.prefix { $0 == "`" }.count)
    }
    let fence = String(repeating: "`", count: longest + 1)
    return "File \(name):\n\n\(fence)\n\(text)\n\(fence)\n\n"
  }
}

extension Chat {
  func export(_ argument: String) async throws -> ChatCommand.Step {
    let (word, file) = argument.firstWord
    guard let form = ExportForm(rawValue: word) else {
      throw SlashError.badArgument(
        form: "/export md|json|txt [FILE]", found: word, expected: "md, json or txt")
    }
    let conversation = await session.conversation
    if conversation.tree.nodes.isEmpty {
      console.say(ChatWords.nothingSaid)
      return .next
    }
    let text = conversation.exported(form)
    if file == "-" {
      console.say(text)
      return .next
    }
    let (number, path) =
      try file.isEmpty
      ? Self.newFile(Self.fileName(conversation.title), "." + form.rawValue)
      : (Self.makeFile(Self.expanded(file)), Self.expanded(file))
    defer { close(number) }
    do {
      try Descriptor(number: number).write(text)
    } catch {
      throw FileFailure(path: path, error: error)
    }
    console.note(ChatWords.exported(path))
    return .next
  }

  /// Opens a file that is not there yet.
  private static func makeFile(_ path: String) throws(FileFailure) -> Int32 {
    let number = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else {
      throw FileFailure(path: path, error: SystemError(code: errno, operation: .write))
    }
    return number
  }

  /// Opens a file under a name that nobody has chosen, with a number where that is taken.
  private static func newFile(
    _ name: String, _ ending: String
  ) throws(FileFailure) -> (number: Int32, path: String) {
    var path = name + ending
    for count in 2...1000 {
      do throws(FileFailure) {
        return (try makeFile(path), path)
      } catch  where error.error.code == EEXIST {
        path = "\(name)-\(count)\(ending)"
      }
    }
    return (try makeFile(path), path)
  }

  /// A title as a file's name: letters and digits of any script, with hyphens between.
  static func fileName(_ title: String) -> String {
    let words = title.prefix(60).split { !$0.isLetter && !$0.isNumber }
    return words.isEmpty ? "conversation" : words.joined(separator: "-").lowercased()
  }

  /// A path with the home directory for a tilde.
  static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = environment("HOME") else { return path }
    return home + path.dropFirst()
  }

  func copy(_ what: String) async throws -> ChatCommand.Step {
    guard ["", "code", "all"].contains(what) else {
      throw SlashError.badArgument(
        form: "/copy [code|all]", found: what, expected: "code, all or nothing")
    }
    let reply = await session.tree.path.last { $0.message.role == .assistant }?.message.content
    guard let reply else {
      console.say(ChatWords.noStatistics)
      return .next
    }
    var text = reply
    if what == "all" {
      text = await session.conversation.exported(.markdown)
    } else if what == "code" {
      guard let code = Self.lastCode(reply) else {
        console.say(ChatWords.noCode)
        return .next
      }
      text = code
    }
    guard let way = try Clipboard.copy(text, console) else {
      console.say(ChatWords.noClipboard)
      return .next
    }
    console.note(ChatWords.copied(text.count, way))
    return .next
  }

  /// The last block of code of a text, wherever it stands.
  static func lastCode(_ text: String) -> String? {
    func last(_ blocks: [Block]) -> String? {
      for block in blocks.reversed() {
        switch block {
        case .code(_, let code, _): return code
        case .quote(let inner):
          if let code = last(inner) { return code }
        case .list(let list):
          if let code = last(list.items.flatMap(\.blocks)) { return code }
        default: break
        }
      }
      return nil
    }
    return last(MarkdownParser.parse(text).map(\.block))
  }

  func attach(_ path: String) async throws -> ChatCommand.Step {
    if path == "-" {
      console.note(ChatWords.detached(attachments.map(\.name)))
      attachments = []
      return .next
    }
    let bytes = try FileFailure.read(Self.expanded(path))
    let text: String
    do {
      if let zero = bytes.firstIndex(of: 0) {
        throw ArgumentError.binaryInput(.zeroByte(offset: zero))
      }
      text = try StandardInput.text(bytes)
    } catch {
      throw AttachError.notText(path: path)
    }
    let name = String(path.split(separator: "/").last ?? Substring(path))
    let attachment = Attachment(name: ControlFilter.filtered(name), text: text)
    let tokens = try session.engine.encode(attachment.block, matchingControl: false).count
    let others = try attachments.reduce(0) {
      $0 + (try session.engine.encode($1.block, matchingControl: false).count)
    }
    let room = max(0, session.engine.contextLength - (await usedTokens) - others)
    // A reply needs some of it.
    guard tokens + Self.smallestReply <= room else {
      throw AttachError.tooLong(
        path: path, tokens: tokens, room: max(0, room - Self.smallestReply),
        context: session.engine.contextLength)
    }
    attachments.append(attachment)
    console.note(ChatWords.attached(attachment.name, tokens))
    return .next
  }

  /// Tokens that are kept for a message and its reply.
  private static let smallestReply = 128
}

/// Why a file cannot go with a message.
enum AttachError: Error, Equatable {
  case notText(path: String)
  case tooLong(path: String, tokens: Int, room: Int, context: Int)
}
