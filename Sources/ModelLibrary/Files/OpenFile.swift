import Glibc

/// A file that is open for reading and writing at any place.
final class OpenFile {
  // Used from one thread at a time.
  let path: String
  private let descriptor: Int32

  /// Opens a file, and makes it 0600 if it is missing and `isCreated`.
  init(path: String, isCreated: Bool) throws(LibraryError) {
    self.path = path
    let flags = isCreated ? O_RDWR | O_CREAT : O_RDONLY
    descriptor = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW * (isCreated ? 1 : 0), 0o600)
    guard descriptor >= 0 else {
      throw isCreated ? .cannotWrite(path: path, code: errno) : .cannotRead(path: path, code: errno)
    }
  }

  deinit {
    close(descriptor)
  }

  /// Bytes of the file.
  var byteCount: Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(LibraryError) {
    let code = unsafe bytes.withUnsafeBytes { bytes -> Int32 in
      var done = 0
      while done < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, offset + done)
        if count >= 0 { done += count } else if errno != EINTR { return errno }
      }
      return 0
    }
    if code != 0 { throw .cannotWrite(path: path, code: code) }
  }

  /// Fills the buffer with what begins at `offset`; returns how much, which is less only at the end.
  func read(into buffer: inout [UInt8], at offset: Int, upTo limit: Int) throws(LibraryError) -> Int
  {
    var code: Int32 = 0
    let done = unsafe buffer.withUnsafeMutableBytes { buffer -> Int in
      let wanted = min(limit, buffer.count)
      var done = 0
      while done < wanted {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done..<wanted])
        let count = unsafe pread(descriptor, rest.baseAddress, rest.count, offset + done)
        if count == 0 { break }
        if count > 0 {
          done += count
        } else if errno != EINTR {
          code = errno
          break
        }
      }
      return done
    }
    if code != 0 { throw .cannotRead(path: path, code: code) }
    return done
  }

  func truncate(to count: Int) throws(LibraryError) {
    while ftruncate(descriptor, count) != 0 {
      if errno != EINTR { throw .cannotWrite(path: path, code: errno) }
    }
  }

  func synchronise() throws(LibraryError) {
    guard fsync(descriptor) == 0 else { throw .cannotWrite(path: path, code: errno) }
  }
}

extension OpenFile {
  /// Hands the bytes of a file to `body` in blocks, in order.
  func forEachBlock(
    of size: Int = 1 << 20, from start: Int = 0, to end: Int = .max,
    _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var buffer = [UInt8](repeating: 0, count: size)
    var offset = start
    while offset < end {
      let count = try read(into: &buffer, at: offset, upTo: end - offset)
      if count == 0 { return }
      try body(buffer[..<count])
      offset += count
    }
  }
}
