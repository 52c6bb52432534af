import Inference
import JSON
import ModelLibrary

extension ModelsCommand {
  // `models show NAME`
  func show() throws -> ExitCode {
    try invocation.refuseArguments(after: 2)
    let name = try invocation.argument(1, "NAME")
    let menu = try ModelMenu(self, isInstalledOnly: false)
    let row = try self.row(name, menu)
    let entry = row.installed.flatMap { registry().entries[$0.name] }
    let lines = facts(row, entry)
    if isJSON {
      var members = row.json.objectValue.map { Array($0) } ?? []
      members += lines.filter { !["size", "fit"].contains($0.key) }.map {
        ($0.key, .string($0.value))
      }
      members.append(("variants", .array((row.choice?.model.variants ?? []).map(\.json))))
      members.append(("fit_sentence", .string(fitSentence(row, menu))))
      try console.write(JSONValue.members(members).text + "\n")
      return .done
    }
    let width = lines.map(\.key.count).max() ?? 0
    try console.writeWords("\(row.name)\n")
    for line in lines {
      let key = line.key + String(repeating: " ", count: width - line.key.count)
      try console.writeWords("  \(key)  \(line.value)\n")
    }
    if let model = row.choice?.model {
      for variant in model.variants {
        try console.writeWords("  " + ModelWords.variant(variant, of: model) + "\n")
      }
    }
    try console.writeWords(fitSentence(row, menu) + "\n")
    return .done
  }

  /// The row of a name, or of a variant of one on the menu.
  private func row(_ name: String, _ menu: ModelMenu) throws -> MenuRow {
    if let row = (menu.installed + menu.menu).first(where: { $0.name == name }) { return row }
    let choice = try catalog.choice(name)
    return MenuRow(
      name: choice.installName, byteCount: choice.estimatedByteCount,
      isEstimate: choice.variant.byteCount == nil, title: choice.model.title,
      fit: FitBadge(choice, options: options.modelOptions, on: .probe()), choice: choice)
  }

  private func facts(
    _ row: MenuRow, _ entry: Registry.Entry?
  ) -> [(key: String, value: String)] {
    let model = row.choice?.model
    let context = model.map { "\(Figures.grouped($0.contextLength)) tokens" }
    let size = (row.isEstimate ? "about " : "") + Figures.bytes(row.byteCount)
    let facts: [(String, String?)] = [
      ("title", row.title), ("publisher", model?.publisher),
      ("licence", model?.licence ?? entry?.licence), ("size", size), ("context", context),
      ("parameters", model.map { Figures.count($0.shape.parameterCount) }),
      ("active", model?.activeParameters.map(Figures.count)),
      ("thinking", model?.thinking.rawValue), ("path", row.installed?.path),
      (
        "prepared",
        row.preparedByteCount.map { ModelWords.prepared($0, in: preparedStore.directory) }
      ),
      ("source", entry?.source), ("revision", entry?.revision),
    ]
    return facts.compactMap { key, value in value.map { (key, $0) } }
  }

  /// How a model fits, in words, with one that does where it does not.
  func fitSentence(_ row: MenuRow, _ menu: ModelMenu) -> String {
    ModelWords.fit(
      row.verdict, needed: row.fit?.needed, available: MachineMemory.probe().available,
      alternative: menu.alternative.flatMap { $0.name == row.name ? nil : $0.name })
  }
}

extension CatalogVariant {
  var json: JSONValue {
    .members([
      ("name", .string(name)), ("format", .string(format.rawValue)), ("bits", .number(bits)),
      ("bytes", .optional(byteCount)), ("approximate_bytes", .optional(approximateByteCount)),
      ("sources", .array(sources.map { .string($0.summary) })),
    ])
  }
}
