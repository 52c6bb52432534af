import JSON
import ModelLibrary

extension ModelsCommand {
  private static let searchLimit = 10

  // `models search WORDS…`
  func search() async throws -> ExitCode {
    _ = try invocation.argument(1, "WORDS")
    let words = invocation.arguments.dropFirst().map(\.text).joined(separator: " ")
    let pause = PauseSwitch()
    let search = HubSearch(settings, pause: pause)
    let results: [HubSearchResult]
    do {
      results = try await paused(pause) { try search.results(for: words, limit: Self.searchLimit) }
    } catch NetworkError.paused {
      return .interrupted
    }
    if isJSON {
      try console.write(JSONValue.array(results.map(\.json)).text + "\n")
      return .done
    }
    if results.isEmpty { console.note(ModelWords.nothingFound(words)) }
    for result in results {
      let forms = result.forms.map { "\($0.name) \(Figures.bytes($0.byteCount))" }
      let gated = result.isGated ? "  gated" : ""
      try console.writeWords(
        "hf:\(result.repository)  \(Figures.grouped(result.downloads)) downloads\(gated)"
          + "  unverified\n")
      for line in HelpText.wrap(forms.joined(separator: " · "), width: HelpText.width - 4) {
        try console.writeWords("    \(line)\n")
      }
    }
    return .done
  }
}

extension HubSearchResult {
  fileprivate var json: JSONValue {
    .members([
      ("repository", .string(repository)), ("downloads", .integer(downloads)),
      ("gated", .bool(isGated)), ("verified", false),
      (
        "forms",
        .array(forms.map { ["name": .string($0.name), "bytes": .integer($0.byteCount)] })
      ),
    ])
  }
}
