#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files in which a system describes itself, below a root that a test replaces.
struct MachineFiles {
  let root: String

  func text(_ path: String) -> String? { systemText(root + path) }
}

/// The text of a file whose size is known only once it has been read, as those of /proc and /sys are;
/// nil if it cannot be read.
///
/// Foundation takes the first part of such a file, some 4 kB, for all of it: a table of mounts was cut
/// short, and a limit behind the cut not heeded.
package func systemText(_ path: String) -> String? {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  while true {
    let count = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: 1 << 14))
    let got = unsafe bytes.withUnsafeMutableBytes {
      unsafe read(descriptor, $0.baseAddress.map { unsafe $0 + count }, 1 << 14)
    }
    bytes.removeLast(bytes.count - count - max(got, 0))
    if got < 0, errno != EINTR { return nil }
    if got == 0 { return String(decoding: bytes, as: UTF8.self) }
  }
}
