import Glibc

extension Footprint {
  /// Lets the peak begin anew at what is resident now; false where the system does not do that.
  package static func forgetPeak() -> Bool {
    let descriptor = unsafe open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // The file's word for the high-water mark alone.
    return unsafe write(descriptor, "5", 1) == 1
  }

  /// This process now.
  ///
  /// The proportional figure makes the kernel walk the page tables, a millisecond or so for each
  /// gigabyte: right after a reply, too much for every token.
  package static func probe(_ files: SystemFiles = .live) -> Footprint {
    let status = files.text("/proc/self/status") ?? ""
    return Footprint(
      peakResident: SystemFiles.number("VmHWM", in: status),
      anonymous: SystemFiles.number("RssAnon", in: status),
      fileBacked: SystemFiles.number("RssFile", in: status),
      proportional: files.number("Pss", in: "/proc/self/smaps_rollup"))
  }

  /// The figures with the names of their metrics, those that are known.
  package var named: [(name: String, bytes: Int)] {
    let all: [(String, Int?)] = [
      ("peak resident (VmHWM)", peakResident), ("anonymous (RssAnon)", anonymous),
      ("file-backed (RssFile)", fileBacked), ("proportional (Pss)", proportional),
    ]
    return all.compactMap { name, bytes in bytes.map { (name, $0) } }
  }
}
