import Inference
import ModelLibrary

/// A model of the list: installed, or on the menu.
struct MenuRow: Sendable {
  var name: String
  var byteCount: Int
  /// Whether the size is not that of files at hand.
  var isEstimate: Bool
  var title: String?
  var fit: FitBadge?
  var installed: InstalledModel?
  var condition = ModelCondition.sound
  /// Bytes of its prepared weights on the disk, where there are any.
  var preparedByteCount: Int?
  var choice: CatalogChoice?
  var isDefault = false
  var isRecommended = false

  var verdict: FitVerdict { fit?.verdict ?? .unknown }
}

/// What is installed and what can be, with how it fits this machine.
struct ModelMenu: Sendable {
  /// By name.
  private(set) var installed: [MenuRow] = []
  /// What is not installed; the recommended one first, then in the order of the catalog.
  private(set) var menu: [MenuRow] = []

  init(_ command: ModelsCommand, isInstalledOnly: Bool) throws {
    let machine = MachineMemory.probe()
    let registry = command.registry()
    let catalog = command.catalog
    let chosen = try command.library.defaultName()
    installed = command.library.available().map { model in
      let choice = command.library.catalogChoice(for: model.name)
      let options = command.library.options(
        command.options.modelOptions, for: model.name, path: model.path)
      var row = MenuRow(
        name: model.name, byteCount: model.byteCount, isEstimate: false,
        title: choice?.model.title,
        fit: FitBadge(model, options: options, on: machine), installed: model, choice: choice)
      row.condition = command.library.condition(of: model, registry.entries[model.name])
      row.isDefault = model.name == chosen
      row.preparedByteCount = command.preparedStore.byteCount(ofModel: model.path)
      return row
    }
    if isInstalledOnly { return }
    // What comes with the program is among the installed, or cannot be had.
    var rows = catalog.models.filter { !$0.isBundledOnly }.map { model in
      let choice = CatalogChoice(model: model, variant: model.variants[0])
      return MenuRow(
        name: model.name, byteCount: choice.estimatedByteCount,
        isEstimate: choice.variant.byteCount == nil, title: model.title,
        fit: FitBadge(choice, options: command.options.modelOptions, on: machine), choice: choice)
    }
    let best = catalog.recommended.first { name in
      rows.contains { $0.name == name && $0.verdict == .comfortable }
    }
    if let best, let index = rows.firstIndex(where: { $0.name == best }) {
      rows[index].isRecommended = true
      rows.insert(rows.remove(at: index), at: 0)
    }
    for index in installed.indices where installed[index].name == best {
      installed[index].isRecommended = true
    }
    let names = Set(installed.map(\.name))
    menu = rows.filter { !names.contains($0.name) }
  }

  /// A model that fits well, for one that does not: the recommended one, or the largest that fits.
  var alternative: MenuRow? {
    let all = installed + menu
    return all.first { $0.isRecommended }
      ?? all.filter { $0.verdict == .comfortable }.max { $0.byteCount < $1.byteCount }
  }
}
