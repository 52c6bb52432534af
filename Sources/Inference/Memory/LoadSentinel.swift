import FoundationEssentials
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// A model whose loading kills the process (the system's out-of-memory killer gives no warning) would
// kill it again at every start. So a marker is written before a load and removed after it, and one
// whose process is gone tells of a death. Markers name their process by identifier, start time and
// boot: identifiers are given out again.
//
// Two deaths in a row and the model is refused, until its files are verified or a load is forced. A
// load that ends in any other way (done, refused, failed, interrupted) leaves no marker, and one
// that is done takes those of earlier deaths away.

/// Notes loads in files, to know of those that the process did not survive.
package struct LoadSentinel: Sendable {
  package let directory: String
  private let files: SystemFiles

  /// Deaths in a row from which on a model is refused.
  package static let limit = 2

  package init(directory: String, files: SystemFiles = .live) {
    self.directory = directory
    self.files = files
  }

  /// Notes that the load of the model at `path` begins; the marker goes with the object.
  ///
  /// Nil where it cannot be noted, which keeps nobody from loading. A marker of a load of at least
  /// `syncedBytes` is on disk when this returns, since such a load may take the machine with it.
  ///
  /// - Throws: `MemoryRefusal.deaths`, unless forced.
  package func begin(
    path: String, name: String, byteCount: Int, isForced: Bool = false
  ) throws(MemoryRefusal) -> LoadMarker? {
    let deaths = deaths(path: path)
    guard deaths < Self.limit || isForced else {
      throw .deaths(LoadDeaths(model: name, path: path, count: deaths))
    }
    guard let process = RunningProcess.current(files) else { return nil }
    let record = LoadRecord(process: process, identity: ModelIdentity.text(path: path))
    let name = "\(process.identifier)-\(process.start)\(Self.suffix)"
    let file = "\(directory)/\(Self.prefix(path))\(name)"
    // Before the file is there, so that a signal in between finds it.
    let marker = LoadMarker(file: file) { clear(path: path) }
    guard write(record.text, to: file, isSynced: byteCount >= Self.syncedBytes) else { return nil }
    return marker
  }

  /// How many loads of the model as it is now the process did not survive, since one was done.
  package func deaths(path: String) -> Int {
    let identity = ModelIdentity.text(path: path)
    return markers(path: path).count { _, record in
      guard let record, record.identity == identity else { return false }
      return !record.process.isAlive(files)
    }
  }

  /// Forgets the deaths of a model: what verifying its files ends with.
  package func clear(path: String) {
    for (file, record) in markers(path: path) where record?.process.isAlive(files) != true {
      try? FileManager.default.removeItem(atPath: file)
    }
  }

  /// Removes the marker of the load that this process is in, if any, because a signal ends it.
  ///
  /// Safe in a signal handler.
  package static func abandonCurrent() {
    LoadMarker.abandonCurrent()
  }

  // MARK: Files

  private static let suffix = ".load"
  private static let syncedBytes = 256_000_000

  /// What the names of a model's markers begin with.
  private static func prefix(_ path: String) -> String {
    // FNV-1a: the same in every run, and a collision is told by the identity inside.
    let hash = path.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16) + "-"
  }

  private func markers(path: String) -> [(file: String, record: LoadRecord?)] {
    let prefix = Self.prefix(path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(Self.suffix) }.map { name in
      let file = "\(directory)/\(name)"
      let data = FileManager.default.contents(atPath: file)
      return (file, data.flatMap { LoadRecord(String(decoding: $0, as: UTF8.self)) })
    }
  }

  private func write(_ text: String, to file: String, isSynced: Bool) -> Bool {
    try? FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Self.write(descriptor, bytes) == bytes.count else {
      unsafe unlink(file)
      return false
    }
    if isSynced {
      fsync(descriptor)
      let folder = unsafe open(directory, O_RDONLY | O_CLOEXEC)
      if folder >= 0 {
        fsync(folder)
        close(folder)
      }
    }
    return true
  }

  private static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
    unsafe bytes.withUnsafeBytes { buffer in
      #if canImport(Glibc)
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      #else
        unsafe Darwin.write(descriptor, buffer.baseAddress, buffer.count)
      #endif
    }
  }
}

/// A load under way; its file goes with it.
package final class LoadMarker: Sendable {
  /// The address of the file's path as a C string, for a signal handler; 0 is none.
  ///
  /// Never freed.
  private static let current = Atomic<UInt>(0)

  private let file: String
  private let address: UInt
  private let clear: @Sendable () -> Void

  init(file: String, clear: @escaping @Sendable () -> Void) {
    self.file = file
    self.clear = clear
    address = unsafe UInt(bitPattern: strdup(file))
    Self.current.store(address, ordering: .sequentiallyConsistent)
  }

  deinit {
    // A later load may have begun.
    _ = Self.current.compareExchange(
      expected: address, desired: 0, ordering: .sequentiallyConsistent)
    unsafe unlink(file)
  }

  /// The model is loaded: earlier deaths are forgotten.
  package func succeed() { clear() }

  static func abandonCurrent() {
    let address = current.exchange(0, ordering: .sequentiallyConsistent)
    if let path = unsafe UnsafePointer<CChar>(bitPattern: address) { unsafe unlink(path) }
  }
}

/// What a marker says.
private struct LoadRecord {
  private static let title = "pipit load"

  var process: RunningProcess
  /// The model's files as they were.
  var identity: String

  init(process: RunningProcess, identity: String) {
    self.process = process
    self.identity = identity
  }

  init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 4, lines[0] == Self.title, let identifier = Int(lines[1]),
      let start = Int(lines[2])
    else { return nil }
    process = RunningProcess(identifier: identifier, start: start, boot: String(lines[3]))
    identity = lines[4...].joined(separator: "\n")
  }

  var text: String {
    [
      Self.title, String(process.identifier), String(process.start), process.boot, identity,
    ].joined(separator: "\n")
  }
}

/// A process, told from those that had or will have its identifier.
struct RunningProcess: Sendable, Hashable {
  var identifier: Int
  /// When it started, in the kernel's ticks since the machine did.
  var start: Int
  /// What the kernel calls this run of the machine.
  var boot: String

  init(identifier: Int, start: Int, boot: String) {
    self.identifier = identifier
    self.start = start
    self.boot = boot
  }

  /// This one; nil where the system does not tell.
  static func current(_ files: SystemFiles) -> RunningProcess? {
    let identifier = Int(getpid())
    guard let start = start(of: identifier, files), let boot = boot(files) else { return nil }
    return RunningProcess(identifier: identifier, start: start, boot: boot)
  }

  func isAlive(_ files: SystemFiles) -> Bool {
    Self.boot(files) == boot && Self.start(of: identifier, files) == start
  }

  private static func boot(_ files: SystemFiles) -> String? {
    files.text("/proc/sys/kernel/random/boot_id")?.split(separator: "\n").first.map(String.init)
  }

  /// The 22nd field; nil for a zombie, which runs no more.
  ///
  /// The second is the command's name in parentheses and may hold spaces and parentheses itself.
  private static func start(of identifier: Int, _ files: SystemFiles) -> Int? {
    guard let text = files.text("/proc/\(identifier)/stat"), let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[end...].dropFirst().split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
    return Int(fields[19])
  }
}
