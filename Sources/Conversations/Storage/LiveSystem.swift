import Glibc

/// The system calls of this machine.
package struct LiveSystem: SystemCalls {
  package init() {}

  package func open(_ path: String, _ access: FileAccess) throws(SystemFailure) -> Int32 {
    let flags: Int32 =
      switch access {
      case .reading: O_RDONLY
      case .directory: O_RDONLY | O_DIRECTORY
      case .replacing: O_WRONLY | O_CREAT | O_TRUNC
      case .locking: O_RDWR | O_CREAT
      }
    let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw SystemFailure(flags & O_CREAT == 0 ? .open : .create, code: errno)
    }
    return descriptor
  }

  package func close(_ descriptor: Int32) {
    _ = Glibc.close(descriptor)
  }

  package func read(_ descriptor: Int32, count: Int) throws(SystemFailure) -> [UInt8] {
    var code: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let size = unsafe Glibc.read(descriptor, buffer.baseAddress, count)
      if size < 0 { code = errno }
      initialized = max(size, 0)
    }
    if code != 0 { throw SystemFailure(.read, code: code) }
    return bytes
  }

  package func write(
    _ descriptor: Int32, _ bytes: ArraySlice<UInt8>
  ) throws(SystemFailure) -> Int {
    let written = unsafe bytes.withUnsafeBytes { buffer in
      unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
    }
    guard written >= 0 else { throw SystemFailure(.write, code: errno) }
    return written
  }

  package func synchronise(_ descriptor: Int32) throws(SystemFailure) {
    if fsync(descriptor) != 0 { throw SystemFailure(.synchronise, code: errno) }
  }

  package func rename(_ path: String, to other: String) throws(SystemFailure) {
    if unsafe Glibc.rename(path, other) != 0 { throw SystemFailure(.rename, code: errno) }
  }

  package func remove(_ path: String) throws(SystemFailure) {
    if unsafe unlink(path) != 0 { throw SystemFailure(.remove, code: errno) }
  }

  package func makeDirectory(_ path: String) throws(SystemFailure) {
    if unsafe mkdir(path, 0o700) != 0 { throw SystemFailure(.makeDirectory, code: errno) }
  }

  package func status(of path: String) throws(SystemFailure) -> FileStatus {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw SystemFailure(.status, code: errno) }
    return FileStatus(status)
  }

  package func status(of descriptor: Int32) throws(SystemFailure) -> FileStatus {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw SystemFailure(.status, code: errno)
    }
    return FileStatus(status)
  }

  package func names(in path: String) throws(SystemFailure) -> [String] {
    guard let directory = unsafe opendir(path) else { throw SystemFailure(.names, code: errno) }
    defer { _ = unsafe closedir(directory) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(directory) else {
        if errno != 0 { throw SystemFailure(.names, code: errno) }
        return names
      }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  package func lock(_ descriptor: Int32) throws(SystemFailure) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw SystemFailure(.lock, code: errno)
  }

  package func unlock(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
  }

  package func pause(milliseconds: Int) {
    usleep(UInt32(clamping: milliseconds) * 1000)
  }
}

extension FileStatus {
  fileprivate init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int(status.st_size),
      modified: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec)
  }
}
