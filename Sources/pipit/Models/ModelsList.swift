import JSON
import ModelLibrary

extension ModelsCommand {
  // `models list`
  func list() throws -> ExitCode {
    try invocation.refuseArguments(after: 1)
    let menu = try ModelMenu(self, isInstalledOnly: options.library.isInstalledOnly)
    if isJSON {
      try console.write(JSONValue.array((menu.installed + menu.menu).map(\.json)).text + "\n")
      return .done
    }
    if menu.installed.isEmpty { console.note(ModelWords.nothingInstalled) }
    let rows = menu.installed + menu.menu
    let table = rows.map { row in
      [
        row.name, (row.isEstimate ? "~" : "") + Figures.bytes(row.byteCount), row.verdict.badge,
        row.marks.joined(separator: ", "), row.title ?? "",
      ]
    }
    let widths = (0..<4).map { column in table.map { $0[column].count }.max() ?? 0 }
    for (index, cells) in table.enumerated() {
      if index == 0, !menu.installed.isEmpty { heading(ModelWords.installedHeading) }
      if index == menu.installed.count { heading(ModelWords.menuHeading) }
      var line = ""
      for (column, cell) in cells.enumerated() {
        line += cell
        if column < widths.count {
          line += String(repeating: " ", count: widths[column] - cell.count + 2)
        }
      }
      while line.last == " " { line.removeLast() }
      try console.writeWords(line + "\n")
    }
    return .done
  }

  /// A line above rows, for readers and not for scripts.
  private func heading(_ text: String) {
    if console.outputIsTerminal { console.note(text) }
  }
}

extension MenuRow {
  var marks: [String] {
    var marks: [String] = []
    if isDefault { marks.append("default") }
    if isRecommended { marks.append("recommended") }
    if let installed {
      if installed.isBundled {
        marks.append("bundled")
      } else if !isDefault {
        marks.append("installed")
      }
    }
    if preparedByteCount != nil { marks.append("prepared") }
    if condition != .sound { marks.append(condition.rawValue) }
    return marks
  }

  var json: JSONValue {
    .members([
      ("name", .string(name)), ("title", .optional(title)), ("installed", .bool(installed != nil)),
      ("path", .optional(installed?.path)), ("form", .optional(installed?.form.rawValue)),
      ("bytes", .integer(byteCount)), ("bytes_are_exact", .bool(!isEstimate)),
      ("prepared_bytes", .optional(preparedByteCount)),
      ("fit", .string(verdict.word)), ("default", .bool(isDefault)),
      ("bundled", .bool(installed?.isBundled ?? false)),
      ("recommended", .bool(isRecommended)), ("condition", .string(condition.rawValue)),
      ("licence", .optional(choice?.model.licence)),
      ("publisher", .optional(choice?.model.publisher)),
      ("active_parameters", .optional(choice?.model.activeParameters)),
    ])
  }
}
