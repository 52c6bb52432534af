/// The system calls that conversations are kept with: the one place where a test can make any of
/// them fail.
///
/// Each is one call and says so when it did only a part; what to do about an interruption, a short
/// write or a full disk is `DurableStore`'s business.
package protocol SystemCalls: Sendable {
  /// A descriptor that is closed when another program is executed.
  func open(_ path: String, _ access: FileAccess) throws(SystemFailure) -> Int32
  func close(_ descriptor: Int32)
  /// Up to `count` bytes; none at the end.
  func read(_ descriptor: Int32, count: Int) throws(SystemFailure) -> [UInt8]
  /// How many of the bytes were written.
  func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) throws(SystemFailure) -> Int
  /// Waits until what was written is on the disk.
  func synchronise(_ descriptor: Int32) throws(SystemFailure)
  func rename(_ path: String, to other: String) throws(SystemFailure)
  func remove(_ path: String) throws(SystemFailure)
  /// Makes one folder, 0700.
  func makeDirectory(_ path: String) throws(SystemFailure)
  func status(of path: String) throws(SystemFailure) -> FileStatus
  func status(of descriptor: Int32) throws(SystemFailure) -> FileStatus
  /// The names in a folder, in no order, without `.` and `..`.
  func names(in path: String) throws(SystemFailure) -> [String]
  /// Takes the lock of a file unless another process has it; the system frees it when the
  /// descriptor is closed, however the process ends.
  func lock(_ descriptor: Int32) throws(SystemFailure) -> Bool
  /// Frees the lock of a file, whoever else has its descriptor.
  func unlock(_ descriptor: Int32)
  /// Lets some milliseconds pass.
  func pause(milliseconds: Int)
}

/// What a file is opened for.
package enum FileAccess: Sendable, Hashable {
  case reading
  /// A folder, to synchronise its entries.
  case directory
  /// A file that is made 0600 if it is missing, and emptied.
  case replacing
  /// A file that is made 0600 if it is missing, and left as it is.
  case locking
}

/// The calls of the seam, by the names that manuals have for them.
package enum SystemCall: String, Sendable, Hashable, CaseIterable {
  /// `create` is opening a file that is made if it is missing.
  case open, create = "creat", read, write, rename, lock = "flock", synchronise = "fsync", remove =
    "unlink"
  case makeDirectory = "mkdir", status = "stat", names = "readdir"
}

/// A system call that failed, and the error's number.
package struct SystemFailure: Error, Hashable, Sendable {
  package var call: SystemCall
  package var code: Int32

  package init(_ call: SystemCall, code: Int32) {
    self.call = call
    self.code = code
  }
}

/// What tells one state of a file from another.
package struct FileStatus: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64
  /// Bytes.
  package var size: Int
  /// Nanoseconds since 1970.
  package var modified: Int

  package init(device: UInt64, inode: UInt64, size: Int, modified: Int) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
  }
}
