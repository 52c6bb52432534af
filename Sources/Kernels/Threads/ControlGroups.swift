/// The processor quota of the control groups that this process is in (Linux).
struct ControlGroups {
  let files: MachineFiles

  /// Processors that the least generous level of the path allows, or nil without a limit.
  var processorQuota: Double? {
    var least: Double?
    for mount in mounts {
      guard let path = path(in: mount) else { continue }
      for folder in Self.levels(of: path, under: mount) {
        if let quota = mount.isUnified ? unifiedQuota(folder) : legacyQuota(folder) {
          least = min(least ?? quota, quota)
        }
      }
    }
    return least
  }

  // MARK: Limits of one folder

  /// `cpu.max` holds “quota period” or “max period”, in microseconds.
  private func unifiedQuota(_ folder: String) -> Double? {
    guard let words = files.text("\(folder)/cpu.max")?.split(whereSeparator: \.isWhitespace),
      words.count == 2, let quota = Double(words[0]), let period = Double(words[1])
    else { return nil }
    return Self.ratio(quota, period)
  }

  private func legacyQuota(_ folder: String) -> Double? {
    guard let quota = number("\(folder)/cpu.cfs_quota_us"),
      let period = number("\(folder)/cpu.cfs_period_us")
    else { return nil }
    return Self.ratio(quota, period)
  }

  private func number(_ path: String) -> Double? {
    files.text(path)?.split(whereSeparator: \.isWhitespace).first.flatMap { Double($0) }
  }

  private static func ratio(_ quota: Double, _ period: Double) -> Double? {
    quota > 0 && quota.isFinite && period > 0 ? quota / period : nil
  }

  // MARK: Where the folders are

  private struct Mount {
    /// The group that the mount point shows.
    var root: Substring
    var point: String
    var isUnified: Bool
  }

  /// The mounts that may hold a processor limit, from `mountinfo`.
  private var mounts: [Mount] {
    let lines = files.text("/proc/self/mountinfo")?.split(whereSeparator: \.isNewline) ?? []
    return lines.compactMap { line in
      let words = line.split(separator: " ")
      guard let dash = words.firstIndex(of: "-"), dash >= 6, words.count > dash + 3 else {
        return nil
      }
      let isUnified = words[dash + 1] == "cgroup2"
      let isLegacy =
        words[dash + 1] == "cgroup" && words[dash + 3].split(separator: ",").contains("cpu")
      guard isUnified || isLegacy else { return nil }
      return Mount(root: words[3], point: Self.unescaped(words[4]), isUnified: isUnified)
    }
  }

  /// This process's group in the hierarchy of a mount.
  private func path(in mount: Mount) -> Substring? {
    for line in files.text("/proc/self/cgroup")?.split(whereSeparator: \.isNewline) ?? [] {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let isRight =
        mount.isUnified
        ? fields[0] == "0" && fields[1].isEmpty
        : fields[1].split(separator: ",").contains("cpu")
      if isRight {
        return fields[2]
      }
    }
    return nil
  }

  /// The folders from the mount point down to a group.
  ///
  /// Inside a container the path may be the host's, which is not below the mount: then the mount
  /// point itself is the group.
  private static func levels(of path: Substring, under mount: Mount) -> [String] {
    let root = mount.root == "/" ? "" : mount.root
    guard path == root || path.hasPrefix("\(root)/") else { return [mount.point] }
    var folder = mount.point
    var folders = [folder]
    for name in path.dropFirst(root.count).split(separator: "/") where name != ".." {
      folder += "/\(name)"
      folders.append(folder)
    }
    return folders
  }

  /// Spaces and the like stand in `mountinfo` as a backslash and three octal digits.
  private static func unescaped(_ word: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(word.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.count >= 3,
        let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
