import Glibc

/// A file that a command writes, or standard output for `-`.
@safe struct OutputFile: ~Copyable {
  private let descriptor: Descriptor
  private let path: String

  /// Makes the file, or empties it.
  init(path: String) throws(FileFailure) {
    self.path = path
    if path == "-" {
      descriptor = .output
      return
    }
    let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard number >= 0 else {
      throw FileFailure(path: path, error: SystemError(code: errno, operation: .write))
    }
    descriptor = Descriptor(number: number)
  }

  func write(_ bytes: [UInt8]) throws {
    do throws(SystemError) {
      try descriptor.write(bytes)
    } catch {
      if path == "-" { throw error }
      throw FileFailure(path: path, error: error)
    }
  }

  deinit {
    if descriptor.number > 2 { close(descriptor.number) }
  }
}

/// A file named by the user that cannot be read or written.
struct FileFailure: Error, Equatable {
  let path: String
  let error: SystemError
}

extension FileFailure {
  /// The bytes of a file, or of standard input for `-`.
  static func read(_ path: String) throws -> [UInt8] {
    var descriptor = Descriptor.input
    if path != "-" {
      let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard number >= 0 else {
        throw FileFailure(path: path, error: SystemError(code: errno, operation: .read))
      }
      descriptor = Descriptor(number: number)
    }
    defer { if path != "-" { close(descriptor.number) } }
    var bytes: [UInt8] = []
    do throws(SystemError) {
      while true {
        let chunk = try descriptor.read(1 << 16)
        if chunk.isEmpty { return bytes }
        bytes += chunk
        if bytes.count > StandardInput.limit { break }
      }
    } catch {
      throw FileFailure(path: path, error: error)
    }
    throw InputError.tooLong(path: path == "-" ? nil : path, limit: StandardInput.limit)
  }
}
