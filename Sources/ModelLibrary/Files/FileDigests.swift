/// Digests of whole files.
enum FileDigests {
  /// The digest of a file.
  ///
  /// `progress` is told how many bytes have been read since it was last told; it may throw to stop.
  static func sha256(
    _ path: String, progress: (Int) throws -> Void = { _ in }
  ) throws -> String {
    let file = try OpenFile(path: path, isCreated: false)
    var digester = Digester()
    try file.forEachBlock { bytes in
      digester.update(bytes)
      try progress(bytes.count)
    }
    return digester.finish()
  }

  /// Whether a file has a digest; what it has otherwise.
  static func check(
    _ path: String, _ expected: DigestValue, progress: (Int) throws -> Void = { _ in }
  ) throws -> DigestValue {
    switch expected {
    case .sha256: return .sha256(try sha256(path, progress: progress))
    case .gitBlob:
      let file = try OpenFile(path: path, isCreated: false)
      var digester = Digester(gitBlobOf: file.byteCount)
      try file.forEachBlock { bytes in
        digester.update(bytes)
        try progress(bytes.count)
      }
      return .gitBlob(digester.finish())
    }
  }
}
