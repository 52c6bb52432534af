/// A lock that this process holds on a file until the last reference goes, or the process ends.
package final class FileLock: Sendable {
  private let descriptor: Int32
  private let path: String
  private let isRemovedAfterUse: Bool
  private let system: any SystemCalls

  init(descriptor: Int32, path: String, isRemovedAfterUse: Bool, system: any SystemCalls) {
    self.descriptor = descriptor
    self.path = path
    self.isRemovedAfterUse = isRemovedAfterUse
    self.system = system
  }

  deinit {
    // While it is still locked: whoever waits for it finds out that the name is another file's.
    if isRemovedAfterUse { try? system.remove(path) }
    // Not by closing alone: a child that was forked and has not executed its program yet has it too.
    system.unlock(descriptor)
    system.close(descriptor)
  }
}
