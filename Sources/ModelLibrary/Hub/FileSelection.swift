import JSON

/// Which files of a repository make a model.
package struct FileSelection: Sendable, Hashable {
  package var form: InstalledModel.Form
  /// Such as `Q4_K_M`; nil of a checkpoint.
  package var quantisation: String?
  package var entries: [HubRepository.Entry]

  package var byteCount: Int { entries.reduce(0) { $0 + $1.byteCount } }
}

extension FileSelection {
  /// Types that are taken when none is asked for, best first: those that Pipit computes with.
  private static let preferred = [
    "Q4_K_M", "Q4_K_S", "Q4_1", "Q4_0", "Q5_K_M", "Q5_K_S", "Q5_0", "Q5_1", "Q6_K", "Q8_0", "Q2_0",
    "Q1_0", "BF16", "F16", "F32",
  ]

  /// The forms that a repository offers, those of GGUF by their name.
  static func all(in repository: HubRepository) -> [FileSelection] {
    var groups: [(key: String, entries: [HubRepository.Entry])] = []
    for entry in repository.entries {
      guard let name = GGUFName(entry.path), !name.isAuxiliary else { continue }
      if let index = groups.firstIndex(where: { $0.key == name.stem }) {
        groups[index].entries.append(entry)
      } else {
        groups.append((name.stem, [entry]))
      }
    }
    var selections: [FileSelection] = groups.compactMap { group in
      guard let name = GGUFName(group.entries[0].path) else { return nil }
      let entries = group.entries.sorted { $0.path < $1.path }
      // All parts, or none.
      let expected = name.count ?? 1
      let numbers = entries.compactMap { GGUFName($0.path)?.number ?? 1 }
      guard numbers == Array(1...expected) else { return nil }
      return FileSelection(form: .gguf, quantisation: name.quantisation, entries: entries)
    }
    let checkpoint = checkpointFiles(repository)
    if !checkpoint.isEmpty {
      selections.append(
        FileSelection(form: .checkpoint, quantisation: nil, entries: checkpoint))
    }
    return selections
  }

  /// The form that is asked for, or the best.
  ///
  /// - Throws: `NetworkError.noSuchQuantisation`, `.notRunnable`.
  static func choose(
    _ wanted: String?, in repository: HubRepository
  ) throws(NetworkError) -> FileSelection {
    let all = all(in: repository)
    guard !all.isEmpty else {
      throw .notRunnable(
        repository: repository.name,
        reason: "it has neither a GGUF file nor a config.json, tokenizer.json and safetensors")
    }
    let known = all.map { $0.quantisation ?? "safetensors" }
    if let wanted {
      let found = all.filter {
        ($0.quantisation ?? "safetensors").lowercased() == wanted.lowercased()
      }
      guard let first = found.first else {
        throw .noSuchQuantisation(repository: repository.name, wanted: wanted, known: known)
      }
      return first
    }
    for type in preferred {
      if let found = all.first(where: { $0.quantisation?.uppercased() == type }) { return found }
    }
    if let checkpoint = all.first(where: { $0.form == .checkpoint }) { return checkpoint }
    if all.count == 1 { return all[0] }
    throw .noSuchQuantisation(
      repository: repository.name, wanted: "type that Pipit knows", known: known)
  }

  /// The form that a file of the repository is a part of.
  ///
  /// - Throws: `NetworkError.notFound`, `.notRunnable`.
  static func choose(
    file path: String, in repository: HubRepository
  ) throws(NetworkError) -> FileSelection {
    let owning = all(in: repository).first { $0.entries.contains { $0.path == path } }
    if let owning { return owning }
    guard repository.entries.contains(where: { $0.path == path }) else {
      throw .notFound(what: "\(path.displayable(limit: 100)) in \(repository.name)")
    }
    throw .notRunnable(
      repository: "\(path.displayable(limit: 100)) of \(repository.name)",
      reason: "it is no part of a model that Pipit knows")
  }

  /// Files beside the weights that a checkpoint is made of.
  private static let small: Set<String> = [
    "config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json",
    "special_tokens_map.json", "added_tokens.json", "chat_template.jinja", "chat_template.json",
    "vocab.json", "merges.txt", "tokenizer.model", "model.safetensors.index.json",
  ]

  private static func checkpointFiles(_ repository: HubRepository) -> [HubRepository.Entry] {
    let entries = repository.entries.filter { entry in
      if entry.path.contains("/") { return false }
      return small.contains(entry.path)
        || (entry.path.hasPrefix("model") && entry.path.hasSuffix(".safetensors"))
    }
    func has(_ name: String) -> Bool { entries.contains { $0.path == name } }
    let hasWeights = entries.contains { $0.path.hasSuffix(".safetensors") }
    guard hasWeights, has("config.json"), has("tokenizer.json") else { return [] }
    return entries.sorted { $0.path < $1.path }
  }
}

/// What the name of a GGUF file says.
struct GGUFName {
  /// The path without the number of the part.
  let stem: String
  /// Such as `Q4_K_M`; the stem's name where it says none.
  let quantisation: String
  /// The number of the part from 1, and how many there are.
  let number: Int?
  let count: Int?

  init?(_ path: String) {
    guard path.lowercased().hasSuffix(".gguf") else { return nil }
    var stem = String(path.dropLast(5))
    var part: (Int, Int)?
    let words = stem.split(separator: "-", omittingEmptySubsequences: false)
    if words.count >= 4, words[words.count - 2] == "of",
      let number = Int(words[words.count - 3]), let count = Int(words[words.count - 1]),
      words[words.count - 3].count == 5, words[words.count - 1].count == 5,
      (1...99_999).contains(count), (1...count).contains(number)
    {
      part = (number, count)
      stem = words.dropLast(3).joined(separator: "-")
    }
    self.stem = stem
    number = part?.0
    count = part?.1
    let name = stem.split(separator: "/").last.map(String.init) ?? stem
    let pieces = name.split { $0 == "-" || $0 == "." }
    let last = pieces.last.map(String.init) ?? name
    let isDynamic = pieces.count > 1 && pieces[pieces.count - 2].uppercased() == "UD"
    quantisation = Self.isType(last) ? (isDynamic ? "UD-" : "") + last : name
  }

  /// Whether it is no model of its own: a vision tower, or measurements.
  var isAuxiliary: Bool {
    let name = (stem.split(separator: "/").last ?? "").lowercased()
    return ["mmproj", "imatrix", "mtp", "draft"].contains { name.contains($0) }
  }

  private static func isType(_ word: String) -> Bool {
    let upper = word.uppercased()
    if ["F32", "F16", "BF16", "FP16"].contains(upper) || upper.hasPrefix("MXFP") { return true }
    for prefix in ["Q", "IQ", "TQ", "PQ", "PTQ"] where upper.hasPrefix(prefix) {
      if let digit = upper.dropFirst(prefix.count).first, digit.isNumber { return true }
    }
    return false
  }
}
