/// The conversations of a store.
package struct ConversationList: Sendable {
  /// Pinned ones first, then those that something was said in last.
  package var summaries: [ConversationSummary]
  /// Files that could not be made sense of.
  package var problems: [StoreProblem]

  init(_ summaries: [ConversationSummary], problems: [StoreProblem]) {
    self.summaries = summaries.sorted { left, right in
      if left.isPinned != right.isPinned { return left.isPinned }
      if left.updated != right.updated { return left.updated > right.updated }
      return left.id.description < right.id.description
    }
    self.problems = problems
  }

  /// Some of the conversations under the time they are of.
  package struct Group: Sendable {
    package var heading: String
    package var summaries: [ConversationSummary]
  }

  /// The conversations in order: the pinned ones, today's, and so on back to months.
  package func grouped(now: Timestamp = .now) -> [Group] {
    let today = now.localDate
    var groups: [Group] = []
    for summary in summaries {
      let heading = Self.heading(summary, today: today)
      if groups.last?.heading == heading {
        groups[groups.count - 1].summaries.append(summary)
      } else {
        groups.append(Group(heading: heading, summaries: [summary]))
      }
    }
    return groups
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  private static func heading(_ summary: ConversationSummary, today: CalendarDate) -> String {
    if summary.isPinned { return "Pinned" }
    let date = summary.updated.localDate
    return switch today.daysSince1970 - date.daysSince1970 {
    case ...0: "Today"
    case 1: "Yesterday"
    case 2...7: "Previous 7 days"
    case 8...30: "Previous 30 days"
    default: "\(months[date.month - 1]) \(date.year)"
    }
  }
}

/// A file of the store that is not as it should be.
package enum StoreProblem: Sendable, Hashable {
  /// It was damaged and now has another name; as many of its messages as could be read are kept.
  case setAside(path: String, kept: Int?)
  /// It is damaged and was left where it is.
  case damaged(path: String)
  /// It could not be read.
  case unreadable(StoreFailure)
  /// Some of its messages could not be read.
  case unreadableRecords(path: String, count: Int)
  /// It was written by a later Pipit, in a way that this one cannot list.
  case newerVersion(path: String, version: Int)
}

extension StoreProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .setAside(let path, nil): "A file was damaged; it is kept as \(path)."
    case .setAside(let path, let kept?):
      """
      A conversation was damaged; it is kept as \(path), and the \(kept) \
      \(kept == 1 ? "message" : "messages") that could be read are still in the list.
      """
    case .damaged(let path): "\(path) is damaged."
    case .unreadable(let failure): failure.description
    case .unreadableRecords(let path, let count):
      count == 1
        ? "1 message of \(path) could not be read; it is left as it is."
        : "\(count) messages of \(path) could not be read; they are left as they are."
    case .newerVersion(let path, let version):
      "\(path) was written by a later Pipit (version \(version) of the form)."
    }
  }
}
