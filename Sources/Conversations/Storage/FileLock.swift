/// A lock that this process holds on a file until it lets go of it or ends.
package final class FileLock: Sendable {
  private let descriptor: Int32
  private let path: String
  private let system: any SystemCalls

  init(descriptor: Int32, path: String, system: any SystemCalls) {
    self.descriptor = descriptor
    self.path = path
    self.system = system
  }

  /// Removes the file; the lock stays until it is let go.
  func removeFile() {
    try? system.remove(path)
  }

  deinit {
    system.close(descriptor)
  }
}
