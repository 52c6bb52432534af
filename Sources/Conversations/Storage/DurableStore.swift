// What is in a file of this folder is always whole. It is replaced by writing another file beside
// it, synchronising that, renaming it over the old one, and synchronising the folder: whoever is
// killed in between, and a machine that loses its power, leave the old contents or the new ones.
// Until the rename nothing of the old file is touched, so a full disk costs only the new contents.

import Glibc

/// Whole files of one folder, replaced so that no crash leaves half of one.
///
/// Files are 0600 and folders 0700. Two processes must not write one file at a time: `lock` is for
/// that. All failures are `StoreFailure`.
package struct DurableStore: Sendable {
  package let directory: String
  private let system: any SystemCalls

  /// What the file that will take a name's place is called while it is written.
  static let unfinishedSuffix = ".tmp"

  /// The most bytes of a file that is read: far more than any that was written here.
  static let sizeLimit = 1 << 29

  package init(directory: String, system: any SystemCalls = LiveSystem()) {
    self.directory = directory
    self.system = system
  }

  package func path(_ name: String) -> String { directory + "/" + name }

  // MARK: Reading

  /// The bytes of a file; nil if there is none.
  package func read(_ name: String) throws(StoreFailure) -> [UInt8]? {
    try readWithStatus(name)?.bytes
  }

  /// The bytes of a file and the state of it that they are; nil if there is none.
  package func readWithStatus(
    _ name: String
  ) throws(StoreFailure) -> (bytes: [UInt8], status: FileStatus)? {
    do throws(SystemFailure) {
      let descriptor = try retrying { () throws(SystemFailure) in
        try system.open(path(name), .reading)
      }
      defer { system.close(descriptor) }
      let status = try system.status(of: descriptor)
      guard status.size <= Self.sizeLimit else { throw SystemFailure(.read, code: EFBIG) }
      var bytes: [UInt8] = []
      while true {
        // One byte more than expected, so that the end is met without another call.
        let count = max(status.size - bytes.count + 1, 4096)
        let chunk = try retrying { () throws(SystemFailure) in
          try system.read(descriptor, count: count)
        }
        if chunk.isEmpty { return (bytes, status) }
        if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
        if chunk.count < count, bytes.count == status.size { return (bytes, status) }
      }
    } catch {
      if error.code == ENOENT { return nil }
      throw StoreFailure(path: path(name), cause: error)
    }
  }

  /// The state of a file; nil if there is none.
  package func status(_ name: String) throws(StoreFailure) -> FileStatus? {
    do {
      return try system.status(of: path(name))
    } catch {
      if error.code == ENOENT { return nil }
      throw StoreFailure(path: path(name), cause: error)
    }
  }

  /// The names of all files, in no order; none while the folder does not exist.
  package func names() throws(StoreFailure) -> [String] {
    do {
      return try system.names(in: directory)
    } catch {
      if error.code == ENOENT { return [] }
      throw StoreFailure(path: directory, cause: error)
    }
  }

  // MARK: Writing

  /// Replaces a file, or makes it; returns the state that it then has.
  ///
  /// If it throws, the file is as it was, unless only the last step failed: then it is the new one,
  /// which a loss of power could take back.
  @discardableResult
  package func write(_ name: String, _ bytes: [UInt8]) throws(StoreFailure) -> FileStatus {
    let unfinished = path(name) + Self.unfinishedSuffix
    do throws(SystemFailure) {
      let status = try writeWhole(unfinished, bytes)
      try retrying { () throws(SystemFailure) in
        try system.rename(unfinished, to: path(name))
      }
      try synchroniseDirectory(directory)
      return status
    } catch {
      try? system.remove(unfinished)
      throw StoreFailure(path: path(name), cause: error)
    }
  }

  /// Removes a file, if there is one.
  package func remove(_ name: String) throws(StoreFailure) {
    do throws(SystemFailure) {
      do throws(SystemFailure) {
        try system.remove(path(name))
      } catch {
        if error.code == ENOENT { return }
        throw error
      }
      try synchroniseDirectory(directory)
    } catch {
      throw StoreFailure(path: path(name), cause: error)
    }
  }

  /// Gives a damaged file another name, which nothing has yet, and returns it.
  package func setAside(_ name: String, at time: Timestamp) throws(StoreFailure) -> String {
    let stem = name + ".corrupt-" + time.compactText
    var aside = stem
    var number = 1
    while try status(aside) != nil {
      number += 1
      aside = "\(stem)-\(number)"
    }
    do throws(SystemFailure) {
      try system.rename(path(name), to: path(aside))
      try synchroniseDirectory(directory)
    } catch {
      throw StoreFailure(path: path(name), cause: error)
    }
    return aside
  }

  private func writeWhole(
    _ path: String, _ bytes: [UInt8]
  ) throws(SystemFailure) -> FileStatus {
    let descriptor = try openMakingDirectory(path, .replacing)
    defer { system.close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = try retrying { () throws(SystemFailure) in
        try system.write(descriptor, rest)
      }
      // A disk that takes nothing and says nothing would be asked for ever.
      if written == 0 { throw SystemFailure(.write, code: ENOSPC) }
      rest = rest.dropFirst(written)
    }
    try retrying { () throws(SystemFailure) in try system.synchronise(descriptor) }
    return try retrying { () throws(SystemFailure) in try system.status(of: descriptor) }
  }

  private func openMakingDirectory(
    _ path: String, _ access: FileAccess
  ) throws(SystemFailure) -> Int32 {
    do {
      return try retrying { () throws(SystemFailure) in try system.open(path, access) }
    } catch {
      guard error.code == ENOENT else { throw error }
      try makeDirectory(directory)
      return try retrying { () throws(SystemFailure) in try system.open(path, access) }
    }
  }

  private func makeDirectory(_ path: String) throws(SystemFailure) {
    let parent = path.parentDirectory
    do {
      try system.makeDirectory(path)
    } catch {
      if error.code == EEXIST { return }
      guard error.code == ENOENT, parent != path else { throw error }
      try makeDirectory(parent)
      do { try system.makeDirectory(path) } catch { if error.code != EEXIST { throw error } }
    }
    try synchroniseDirectory(parent)
  }

  private func synchroniseDirectory(_ path: String) throws(SystemFailure) {
    let descriptor = try retrying { () throws(SystemFailure) in
      try system.open(path, .directory)
    }
    defer { system.close(descriptor) }
    do {
      try retrying { () throws(SystemFailure) in try system.synchronise(descriptor) }
    } catch {
      // Some file systems keep no such thing as an entry to be written.
      if error.code != EINVAL { throw error }
    }
  }

  /// Makes a call again for as long as signals interrupt it.
  private func retrying<Result>(
    _ call: () throws(SystemFailure) -> Result
  ) throws(SystemFailure) -> Result {
    while true {
      do { return try call() } catch { if error.code != EINTR { throw error } }
    }
  }

  // MARK: Locks

  /// Takes the lock of that name, waiting for at most some milliseconds; nil when another holder
  /// keeps it.
  ///
  /// Its file is made, and removed after use if there are to be many.
  package func lock(
    _ name: String, waiting: Int = 0, isRemovedAfterUse: Bool = false
  ) throws(StoreFailure) -> FileLock? {
    let path = path(name)
    var waited = 0
    do throws(SystemFailure) {
      while true {
        let descriptor = try openMakingDirectory(path, .locking)
        do throws(SystemFailure) {
          let isTaken = try retrying { () throws(SystemFailure) in try system.lock(descriptor) }
          // Whoever had it may have removed the file: then another one holds the name now.
          if isTaken, try isCurrent(descriptor, path) {
            return FileLock(
              descriptor: descriptor, path: path, isRemovedAfterUse: isRemovedAfterUse,
              system: system)
          }
          system.close(descriptor)
          if isTaken { continue }
        } catch {
          system.close(descriptor)
          throw error
        }
        if waited >= waiting { return nil }
        system.pause(milliseconds: 2)
        waited += 2
      }
    } catch {
      throw StoreFailure(path: path, cause: error)
    }
  }

  private func isCurrent(_ descriptor: Int32, _ path: String) throws(SystemFailure) -> Bool {
    let held = try system.status(of: descriptor)
    do {
      let named = try system.status(of: path)
      return named.inode == held.inode && named.device == held.device
    } catch {
      if error.code == ENOENT { return false }
      throw error
    }
  }
}

extension String {
  /// Of a path without a slash at its end: the folder that it is in.
  fileprivate var parentDirectory: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }
}
