import Conversations
import Synchronization

/// The system's calls, of which some go wrong.
final class FaultySystem: SystemCalls {
  /// What happens to a call.
  enum Fault: Sendable, Hashable {
    /// It does nothing and fails with that number.
    case fails(Int32)
    /// It writes one byte, if it is a write.
    case isShort
    /// From this call on nothing has any effect: the process has been killed.
    case dies
  }

  /// The calls by number, from 0, that go wrong.
  typealias Plan = @Sendable (_ call: SystemCall, _ number: Int) -> Fault?

  private struct State {
    var count = 0
    var isDead = false
    var calls: [SystemCall] = []
  }

  private let live = LiveSystem()
  private let plan: Plan
  private let state = Mutex(State())

  init(_ plan: @escaping Plan = { _, _ in nil }) {
    self.plan = plan
  }

  /// The calls so far, in order.
  var calls: [SystemCall] { state.withLock { $0.calls } }

  private func fault(_ call: SystemCall) throws(SystemFailure) -> Fault? {
    let fault: Fault? = state.withLock { state in
      if state.isDead { return .dies }
      let fault = plan(call, state.count)
      state.count += 1
      state.calls.append(call)
      if fault == .dies { state.isDead = true }
      return fault
    }
    switch fault {
    case .fails(let code): throw SystemFailure(call, code: code)
    case .dies: throw SystemFailure(call, code: 5)
    case nil, .isShort: return fault
    }
  }

  func open(_ path: String, _ access: FileAccess) throws(SystemFailure) -> Int32 {
    _ = try fault(.open)
    return try live.open(path, access)
  }

  // What the system does for a dead process too.
  func close(_ descriptor: Int32) { live.close(descriptor) }

  func read(_ descriptor: Int32, count: Int) throws(SystemFailure) -> [UInt8] {
    let fault = try fault(.read)
    return try live.read(descriptor, count: fault == .isShort ? 1 : count)
  }

  func write(
    _ descriptor: Int32, _ bytes: ArraySlice<UInt8>
  ) throws(SystemFailure) -> Int {
    let fault = try fault(.write)
    return try live.write(descriptor, fault == .isShort ? bytes.prefix(1) : bytes)
  }

  func synchronise(_ descriptor: Int32) throws(SystemFailure) {
    _ = try fault(.synchronise)
    try live.synchronise(descriptor)
  }

  func rename(_ path: String, to other: String) throws(SystemFailure) {
    _ = try fault(.rename)
    try live.rename(path, to: other)
  }

  func remove(_ path: String) throws(SystemFailure) {
    _ = try fault(.remove)
    try live.remove(path)
  }

  func makeDirectory(_ path: String) throws(SystemFailure) {
    _ = try fault(.makeDirectory)
    try live.makeDirectory(path)
  }

  func status(of path: String) throws(SystemFailure) -> FileStatus {
    _ = try fault(.status)
    return try live.status(of: path)
  }

  func status(of descriptor: Int32) throws(SystemFailure) -> FileStatus {
    _ = try fault(.status)
    return try live.status(of: descriptor)
  }

  func names(in path: String) throws(SystemFailure) -> [String] {
    _ = try fault(.names)
    return try live.names(in: path)
  }

  func lock(_ descriptor: Int32) throws(SystemFailure) -> Bool {
    _ = try fault(.lock)
    return try live.lock(descriptor)
  }

  func unlock(_ descriptor: Int32) { live.unlock(descriptor) }

  func pause(milliseconds: Int) { live.pause(milliseconds: milliseconds) }
}
