// Memory limits of Linux control groups.
//
// A process sits in one group, and every group on the way from there to the root of the hierarchy
// may have a limit; the tightest counts, wherever it is. `/proc/self/cgroup` gives the path inside
// the hierarchy, `/proc/self/mountinfo` where the hierarchy is mounted and which part of it: in a
// container the mount often shows only the container's own group.
//
// Usage includes page cache. What of it is inactive the kernel drops when asked for memory, so it
// counts as free; a container that has read big files is not full. Nor is one that has read them
// twice, by which their pages become active: those go as well, unless some process maps them and
// would have to read them again at once.

/// The control groups that limit this process's memory.
struct ControlGroups {
  private let files: SystemFiles

  init(_ files: SystemFiles) {
    self.files = files
  }

  /// The limits, the innermost group's first.
  func limits() -> [MemoryLimit] {
    guard let groups = files.text("/proc/self/cgroup"),
      let mountTable = files.text("/proc/self/mountinfo")
    else { return [] }
    let mounts = mountTable.split(separator: "\n").compactMap { Mount($0) }
    return groups.split(separator: "\n").flatMap { line -> [MemoryLimit] in
      guard line.utf8.starts(with: "0::".utf8) || line.utf8.contains("memory") else { return [] }
      // Hierarchy id, controllers, path; the path may have colons itself.
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      let path = String(fields[2])
      if fields[0] == "0", fields[1].isEmpty {
        return limits(path, in: mounts.filter { $0.type == "cgroup2" }, version2)
      }
      guard fields[1].split(separator: ",").contains("memory") else { return [] }
      let memoryMounts = mounts.filter { $0.type == "cgroup" && $0.options.contains("memory") }
      return limits(path, in: memoryMounts, version1)
    }
  }

  private func limits(
    _ path: String, in mounts: [Mount], _ limit: (String) -> MemoryLimit?
  ) -> [MemoryLimit] {
    // The same hierarchy may be mounted in several places and parts.
    let mount = mounts.first { $0.relativePath(of: path) != nil } ?? mounts.first
    guard let mount else { return [] }
    return mount.folders(downTo: path).reversed().compactMap(limit)
  }

  private func version2(_ folder: String) -> MemoryLimit? {
    guard let capacity = limitNumber(folder + "/memory.max"),
      let used = limitNumber(folder + "/memory.current")
    else { return nil }
    let statistics = files.text(folder + "/memory.stat") ?? ""
    return limit(
      folder, capacity: capacity, used: used,
      inactive: SystemFiles.number("inactive_file", in: statistics),
      active: SystemFiles.number("active_file", in: statistics),
      mapped: SystemFiles.number("file_mapped", in: statistics))
  }

  private func version1(_ folder: String) -> MemoryLimit? {
    guard let capacity = limitNumber(folder + "/memory.limit_in_bytes"),
      let used = limitNumber(folder + "/memory.usage_in_bytes")
    else { return nil }
    let statistics = files.text(folder + "/memory.stat") ?? ""
    return limit(
      folder, capacity: capacity, used: used,
      inactive: SystemFiles.number("total_inactive_file", in: statistics),
      active: SystemFiles.number("total_active_file", in: statistics),
      mapped: SystemFiles.number("total_mapped_file", in: statistics))
  }

  /// Active pages count as taken where nobody says which are mapped.
  private func limit(
    _ folder: String, capacity: Int, used: Int, inactive: Int?, active: Int?, mapped: Int?
  ) -> MemoryLimit {
    let active = active ?? 0
    let inUse = min(active, mapped ?? active)
    let taken = max(0, used - (inactive ?? 0) - (active - inUse))
    return MemoryLimit(
      .controlGroup, place: folder, capacity: capacity, free: capacity - min(taken, capacity),
      activeFilePages: inUse)
  }

  /// The number in a file; nil for "max", for the huge number by which version 1 says the same,
  /// and if there is no such file.
  private func limitNumber(_ path: String) -> Int? {
    guard let text = files.text(path),
      let number = Int(text.split(whereSeparator: \.isWhitespace).first ?? "")
    else { return nil }
    return number >= 0 && number < 1 << 60 ? number : nil
  }
}

/// A line of mountinfo.
private struct Mount {
  /// The part of the file system that is mounted.
  var root: String
  var point: String
  var type: String
  var options: [Substring]

  init?(_ line: Substring) {
    // Of a machine's dozens of mounts only one or two are of interest, and this runs during replies.
    guard Self.mayBeControlGroup(line.utf8) else { return nil }
    // …, root, mount point, options, optional fields, "-", type, source, options of the type.
    let fields = line.split(separator: " ")
    guard fields.count > 5, let dash = fields[5...].firstIndex(of: "-"),
      dash + 3 < fields.count
    else { return nil }
    root = Self.unescaped(fields[3])
    point = Self.unescaped(fields[4])
    type = String(fields[dash + 1])
    options = fields[dash + 3].split(separator: ",")
  }

  /// A group's path below what is mounted, or nil if it lies outside.
  func relativePath(of path: String) -> Substring? {
    guard !path.split(separator: "/").contains("..") else { return nil }
    if root == "/" { return path[...] }
    guard path == root || path.hasPrefix(root + "/") else { return nil }
    return path.dropFirst(root.count)
  }

  /// The folders from the mount point to a group; only the mount point if the group lies outside.
  func folders(downTo path: String) -> [String] {
    var folder = point == "/" ? "" : point
    var folders = [folder]
    for name in (relativePath(of: path) ?? "").split(separator: "/") {
      folder += "/" + name
      folders.append(folder)
    }
    return folders
  }

  /// Whether the type is cgroup2, or cgroup with something of memory after it.
  private static func mayBeControlGroup(_ line: Substring.UTF8View) -> Bool {
    var rest = line
    while let dash = rest.firstIndex(of: UInt8(ascii: "-")) {
      rest = rest[rest.index(after: dash)...]
      if rest.starts(with: " cgroup2 ".utf8) { return true }
      if rest.starts(with: " cgroup ".utf8) { return rest.contains("memory") }
    }
    return false
  }

  /// Mountinfo writes a space, tab, line break and backslash as three octal digits.
  private static func unescaped(_ field: Substring) -> String {
    var text = String(field)
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    for (escape, character) in [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")] {
      text = text.split(separator: escape, omittingEmptySubsequences: false)
        .joined(separator: character)
    }
    return text
  }
}

extension Substring.UTF8View {
  /// Whether a text occurs, without the table that a search in long texts makes.
  fileprivate func contains(_ text: String) -> Bool {
    var rest = self
    while let first = text.utf8.first, let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: text.utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
