import Conversations
import Glibc

/// What Tab offers in a chat: commands, and what they take.
struct ChatCompleter {
  /// The names of installed models.
  let models: () -> [String]
  /// The conversations that are kept, in the order of a list.
  let conversations: () -> [ConversationSummary]

  func complete(_ text: String) -> Completion? {
    guard text.hasPrefix("/"), !text.contains("\n") else { return nil }
    let (word, _) = text.firstWord
    guard text.count > word.count else {
      return among(ChatCommand.all.flatMap { [$0.name] + $0.aliases }, word)
    }
    guard let command = ChatCommand.named(word) else { return nil }
    let typed = String(text.dropFirst(word.count).drop { $0 == " " })
    switch command.completion {
    case .nothing: return nil
    case .words(let words): return among(words, typed)
    case .commands: return among(ChatCommand.all.map(\.name), typed)
    case .models: return among(models(), typed)
    case .conversations(let words): return conversations(words, typed)
    case .files(let first) where first.isEmpty: return files(typed)
    case .files(let first):
      guard typed.contains(" ") else { return among(first, typed) }
      return files(typed.firstWord.rest)
    }
  }

  /// Words, and conversations by the beginning of their title or identifier.
  private func conversations(_ words: [String], _ typed: String) -> Completion? {
    let wanted = typed.lowercased()
    var candidates = words.filter { $0.hasPrefix(typed) }
    var known = Set(candidates)
    for summary in conversations() {
      let title = ControlFilter.filtered(summary.title)
      // A number would be taken for one of the last list.
      let isTitle = title.lowercased().hasPrefix(wanted) && Int(title) == nil
      let isIdentifier = !typed.isEmpty && summary.id.short.hasPrefix(wanted)
      guard isTitle || isIdentifier else { continue }
      let candidate = isTitle ? title : summary.id.short
      if known.insert(candidate).inserted { candidates.append(candidate) }
    }
    return candidates.isEmpty
      ? nil : Completion(replaced: typed.unicodeScalars.count, candidates: candidates)
  }

  private func among(_ words: [String], _ typed: String) -> Completion? {
    let candidates = words.filter { $0.hasPrefix(typed) }.sorted()
    return candidates.isEmpty
      ? nil : Completion(replaced: typed.unicodeScalars.count, candidates: candidates)
  }

  /// Files whose path begins so, folders with a slash at the end.
  private func files(_ typed: String) -> Completion? {
    let slash = typed.lastIndex(of: "/")
    let folder = slash.map { String(typed[...$0]) } ?? ""
    let beginning = typed.dropFirst(folder.count)
    let names = Self.names(in: folder.isEmpty ? "." : Chat.expanded(folder))
    let candidates = names.filter {
      $0.hasPrefix(beginning) && (!$0.hasPrefix(".") || beginning.hasPrefix("."))
    }.sorted()
    return candidates.isEmpty
      ? nil
      : Completion(
        replaced: typed.unicodeScalars.count, candidates: candidates.map { folder + $0 })
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          unsafe String(cString: name)
        }
      }
      // Control characters in a name would reach the terminal.
      if name == "." || name == ".." || ControlFilter.filtered(name) != name { continue }
      var status = stat()
      let isFolder =
        unsafe stat(folder + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      names.append(isFolder ? name + "/" : name)
    }
    return names
  }
}
