import JSON

/// A repository that a search found: nobody has tried it with Pipit.
package struct HubSearchResult: Sendable, Hashable {
  package var repository: String
  package var downloads: Int
  package var isGated: Bool
  /// What can be pulled, with its size.
  package var forms: [(name: String, byteCount: Int)] {
    selections.map { ($0.quantisation ?? "safetensors", $0.byteCount) }
  }
  package var selections: [FileSelection]
}

/// Searches of the Hub for models of the formats that Pipit reads.
package struct HubSearch: Sendable {
  let settings: NetworkSettings
  let pause: PauseSwitch

  package init(_ settings: NetworkSettings, pause: PauseSwitch = PauseSwitch()) {
    self.settings = settings
    self.pause = pause
  }

  /// Repositories with GGUF files or MLX checkpoints, by downloads.
  ///
  /// Blocks the thread.
  ///
  /// - Throws: `NetworkError`.
  package func results(for words: String, limit: Int) throws -> [HubSearchResult] {
    let access = try HubAccess(settings, pause: pause, purpose: "A search")
    var found: [HubSearchResult] = []
    for filter in ["gguf", "mlx"] {
      let (json, _) = try access.json(
        access.address(
          "api/models",
          query: [
            ("search", words), ("filter", filter), ("sort", "downloads"), ("direction", "-1"),
            ("limit", "\(limit)"),
          ]), what: "search")
      guard let rows = json.arrayValue else {
        throw NetworkError.badResponse(host: settings.endpoint, "the results are no list")
      }
      for row in rows.prefix(limit) {
        guard let name = row["id"]?.stringValue, HubReference.isRepository(name),
          !found.contains(where: { $0.repository == name })
        else { continue }
        let isGated = row["gated"].map { $0.boolValue ?? true } ?? false
        found.append(
          HubSearchResult(
            repository: name, downloads: row["downloads"]?.intValue ?? 0, isGated: isGated,
            selections: []))
      }
    }
    found.sort { ($0.downloads, $1.repository) > ($1.downloads, $0.repository) }
    var results: [HubSearchResult] = []
    for var result in found.prefix(limit) {
      do {
        let repository = try HubRepository.load(result.repository, revision: nil, access: access)
        result.selections = FileSelection.all(in: repository)
        if !result.selections.isEmpty { results.append(result) }
      } catch NetworkError.denied, NetworkError.notFound {
        results.append(result)
      }
    }
    return results
  }
}
