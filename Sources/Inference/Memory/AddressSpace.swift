import Glibc
import Kernels

/// The address space of a process with a limit on it (`ulimit -v`).
///
/// At its end nothing fails cleanly: where a thread cannot be made, libdispatch tries again each second
/// for ever, and whoever waits for the thread waits as long; an allocation that fails ends the process.
/// So there has to be room before either is tried.
package enum AddressSpace {
  /// Threads beside those that compute: for signals, the engine, and the tasks of the language.
  private static let threads = 8
  /// What a command allocates before it asks for a model.
  private static let heap = 16_000_000

  /// What those threads and the first allocations take.
  package static var floor: Int { threads * stackByteCount + heap }

  /// Makes a limit go as far as it can, and looks whether the program itself can run under it.
  ///
  /// To be called before the first thread is made. Without a limit it does nothing.
  ///
  /// - Throws: `MemoryRefusal.addressSpace`.
  package static func prepare() throws(MemoryRefusal) {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
      limit.rlim_cur != UInt.max
    else { return }
    // Another arena reserves 64 MB for each thread that allocates.
    useOneArena()
    try admit(to: .probe())
  }

  /// - Throws: `MemoryRefusal.addressSpace`.
  package static func admit(to machine: MachineMemory) throws(MemoryRefusal) {
    guard let limit = machine.addressSpace, limit.free < floor else { return }
    throw .addressSpace(
      AddressShortage(
        purpose: .program, needed: floor, available: limit.free, limit: limit.capacity))
  }

  /// What glibc reserves for a thread's stack.
  static var stackByteCount: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0,
      limit.rlim_cur != UInt.max
    else { return 2 << 20 }
    return max(2 << 20, Int(clamping: limit.rlim_cur))
  }
}

extension MachineMemory {
  /// The limit on the address space; nil without one.
  var addressSpace: MemoryLimit? { limits.first { $0.kind == .addressSpace } }
}

extension MemoryBudget {
  /// Admits mapping a model's files and making `threads` threads, before either is done: what the files
  /// say of memory is known only once they are mapped.
  ///
  /// - Throws: `MemoryRefusal.addressSpace`, unless forced.
  func admitMapping(of path: String, name: String, threads: Int) throws(MemoryRefusal) {
    guard let limit = machine().addressSpace else { return }
    let needed = ModelFiles.byteCount(at: path)
      .added(clamping: threads.multiplied(clampingBy: AddressSpace.stackByteCount))
    guard needed > limit.available else { return }
    let refusal = MemoryRefusal.addressSpace(
      AddressShortage(
        purpose: .model(name), needed: needed, available: limit.available, limit: limit.capacity))
    guard isForced else { throw refusal }
    warn(.forced(refusal))
  }
}
