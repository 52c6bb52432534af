import Foundation
import Glibc

/// A control group (version 1) with a limit of memory, for processes that a test starts.
///
/// Groups lie directly below the root of the hierarchy, where nobody who tidies up another one is in
/// their way. Removed with the last reference; its processes must have ended by then.
final class MemoryGroup: Sendable {
  let folder: String

  private static let root = "/sys/fs/cgroup/memory"

  /// Whether this process may make one.
  static let isAvailable: Bool = {
    guard let group = try? MemoryGroup(limit: 1 << 30) else { return false }
    return group.limit == 1 << 30
  }()

  init(limit: Int) throws {
    folder = "\(Self.root)/pipit-test-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    guard unsafe mkdir(folder, 0o755) == 0 else { throw SpawnError(code: errno) }
    try setLimit(limit)
  }

  deinit {
    unsafe rmdir(folder)
  }

  /// - Throws: when the limit is below what is used and cannot be reclaimed.
  func setLimit(_ bytes: Int) throws {
    try write("memory.limit_in_bytes", "\(bytes)")
  }

  var limit: Int { number("memory.limit_in_bytes") }
  var usage: Int { number("memory.usage_in_bytes") }
  /// The most that was ever used, page cache included.
  var peak: Int { number("memory.max_usage_in_bytes") }

  /// Processes that the kernel killed for want of memory.
  var kills: Int {
    let text = (try? String(contentsOfFile: folder + "/memory.oom_control", encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n") where line.hasPrefix("oom_kill ") {
      return Int(line.dropFirst("oom_kill ".count)) ?? 0
    }
    return 0
  }

  /// The beginning of a shell command that goes on in the group.
  var enter: String { "echo $$ > \(folder)/cgroup.procs && exec " }

  private func number(_ file: String) -> Int {
    let text = (try? String(contentsOfFile: folder + "/" + file, encoding: .utf8)) ?? ""
    return Int(text.split(separator: "\n").first ?? "") ?? -1
  }

  private func write(_ file: String, _ text: String) throws {
    let descriptor = unsafe open(folder + "/" + file, O_WRONLY)
    guard descriptor >= 0 else { throw SpawnError(code: errno) }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    let written = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
    }
    guard written == bytes.count else { throw SpawnError(code: errno) }
  }
}
