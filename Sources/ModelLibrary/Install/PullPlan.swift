import Inference

/// What pulling a model would do: to be shown before it is done.
package struct PullPlan: Sendable, Hashable {
  package enum Method: Sendable, Hashable {
    /// It is installed already.
    case none
    case download([RemoteFile])
    case wheel(package: String, version: String, files: [SourceFile])
    /// Files of this machine are used where they are.
    case inPlace([LocalFile])
  }

  /// What it will be called.
  package var name: String
  package var title: String
  package var licence: String?
  /// Where it comes from, in a few words.
  package var source: String
  package var revision: String?
  /// The row of the menu, unless it comes from elsewhere.
  package var choice: CatalogChoice?
  package var method: Method

  /// Bytes of all files, where that is known.
  package var byteCount: Int? {
    switch method {
    case .none: nil
    case .download(let files):
      files.contains { $0.byteCount == nil }
        ? nil : files.reduce(0) { $0.added(clamping: $1.byteCount ?? 0) }
    case .wheel(_, _, let files): files.reduce(0) { $0.added(clamping: $1.byteCount ?? 0) }
    case .inPlace(let files): files.reduce(0) { $0.added(clamping: $1.byteCount) }
    }
  }

  package var fileCount: Int {
    switch method {
    case .none: 0
    case .download(let files): files.count
    case .wheel(_, _, let files): files.count
    case .inPlace(let files): files.count
    }
  }
}

/// A file of this machine that becomes part of a model.
package struct LocalFile: Sendable, Hashable {
  package var name: String
  package var path: String
  package var byteCount: Int
  package var digest: DigestValue?
}
