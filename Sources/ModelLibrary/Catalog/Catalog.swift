private import CatalogData
import FoundationEssentials
import JSON

/// The menu: what this build carries, and what the user's own files add.
package struct Catalog: Sendable {
  /// In the order of the menu.
  package private(set) var models: [CatalogModel] = []
  /// Names, preferred first; the first that fits a machine well is recommended there.
  package private(set) var recommended: [String] = []

  /// The most bytes of a file in `catalog.d`.
  private static let fileLimit = 16_000_000

  /// The menu, and what is wrong with files of `catalog.d`, which are then left out.
  package static func load(
    _ directories: Directories
  ) -> (catalog: Catalog, problems: [CatalogProblem]) {
    var catalog = Catalog()
    var problems: [CatalogProblem] = []
    func add(_ name: String, _ bytes: [UInt8]) {
      do {
        try catalog.add(bytes)
      } catch {
        problems.append(CatalogProblem(file: name, reason: "\(error)"))
      }
    }
    add("the built-in catalog", BuiltInCatalog.bytes)
    let folder = directories.catalogs
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() where name.hasSuffix(".json") && !name.hasPrefix(".") {
      let path = folder + "/" + name
      do {
        add(path, try SmallFiles.read(path, limit: fileLimit))
      } catch {
        problems.append(CatalogProblem(file: path, reason: "\(error)"))
      }
    }
    return (catalog, problems)
  }

  package init() {}

  /// The menu of one text.
  ///
  /// - Throws: `JSONError`, or `FieldError` naming the place.
  package init(_ bytes: [UInt8]) throws {
    try add(bytes)
  }

  /// Adds rows; one whose name is there already takes its place.
  private mutating func add(_ bytes: [UInt8]) throws {
    let (rows, names) = try CatalogReader.read(try JSONReader.read(bytes))
    for row in rows {
      if let index = models.firstIndex(where: { $0.name == row.name }) {
        models[index] = row
      } else {
        models.append(row)
      }
    }
    if !names.isEmpty { recommended = names }
  }

  package func model(_ name: String) -> CatalogModel? {
    models.first { $0.name == name } ?? models.first { $0.name == name.lowercased() }
  }

  /// What `name` or `name:variant` means.
  ///
  /// - Throws: `LibraryError.notInCatalog`, `LibraryError.noSuchVariant`.
  package func choice(_ request: String) throws(LibraryError) -> CatalogChoice {
    let parts = request.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let model = model(name) else {
      throw .notInCatalog(name: name, nearest: nearestName(to: name, in: models.map(\.name)))
    }
    guard parts.count == 2 else { return CatalogChoice(model: model, variant: model.variants[0]) }
    let wanted = parts[1].lowercased()
    guard let variant = model.variants.first(where: { $0.name.lowercased() == wanted }) else {
      throw .noSuchVariant(
        model: model.name, variant: String(parts[1]), known: model.variants.map(\.name))
    }
    return CatalogChoice(model: model, variant: variant)
  }

  /// The row and variant that is called so once it is installed.
  package func choice(installedAs name: String) -> CatalogChoice? {
    for model in models {
      for variant in model.variants {
        let choice = CatalogChoice(model: model, variant: variant)
        if choice.installName == name { return choice }
      }
    }
    return nil
  }
}

/// A catalog that is left out, and why.
package struct CatalogProblem: Error, Sendable, Hashable, CustomStringConvertible {
  package var file: String
  package var reason: String

  package var description: String { "\(file) is left out of the menu: \(reason)." }
}
