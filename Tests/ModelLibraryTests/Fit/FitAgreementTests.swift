import FoundationEssentials
import Inference
import ModelLibrary
import TestSupport
import Testing

/// What `models list` says of a model's fit is what `fit` says of it.
@Suite struct FitAgreementTests {
  /// Machines as they are sold, one that nothing fits, one without anything known, and one whose
  /// control group is tighter than its memory.
  private static let machines: [MachineMemory] =
    [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 512].map { MachineMemory(sold: $0 * gigabyte) }
    + [
      MachineMemory(capacity: gigabyte / 10, free: gigabyte / 100), MachineMemory(limits: []),
      MachineMemory(limits: [
        MemoryLimit(.machine, capacity: 64 * gigabyte, free: 50 * gigabyte),
        MemoryLimit(.controlGroup, place: "/box", capacity: 3 * gigabyte, free: 2 * gigabyte),
      ]),
    ]

  private static let options: [ModelOptions] = [
    ModelOptions(threads: 2), ModelOptions(contextLength: 16384, threads: 2),
    ModelOptions(contextLength: 512, keyValueBits: .four, threads: 2),
  ]

  @Test(arguments: machines.indices) func everyRowOfTheMenu(machine index: Int) throws {
    let home = try ScratchDirectory()
    let library = ModelLibrary(
      directories: Directories(environment: { $0 == "PIPIT_HOME" ? home.path : nil }))
    let catalog = Catalog.load(library.directories).catalog
    let machine = Self.machines[index]
    for options in Self.options {
      let survey = try FitSurvey(library: library, names: [], options: options, on: machine)
      #expect(survey.obstacles.isEmpty)
      var rows = 0
      for model in catalog.models where !model.isBundledOnly {
        let choice = CatalogChoice(model: model, variant: model.variants[0])
        let badge = FitBadge(choice, options: options, on: machine)
        let fit = try #require(survey.fits.first { $0.name == choice.installName })
        #expect(badge.verdict == fit.verdict, "\(model.name), \(options)")
        #expect(badge.context == fit.verdictContext, "\(model.name), \(options)")
        rows += 1
      }
      #expect(survey.fits.count == rows)
    }
  }

  @Test(arguments: machines.indices) func everyInstalledModel(machine index: Int) throws {
    let home = try ScratchDirectory()
    let models = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "InferenceTests/Fixtures/models")
    for name in ["qwen3-q1_0", "gemma3-q5_0", "qwen35-q1_0"] {
      let folder = home.path + "/models/" + name
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: models.appending(path: "\(name).gguf").path, toPath: folder + "/m.gguf")
    }
    let library = ModelLibrary(
      directories: Directories(environment: { $0 == "PIPIT_HOME" ? home.path : nil }))
    let machine = Self.machines[index]
    for options in Self.options {
      let survey = try FitSurvey(library: library, names: [], options: options, on: machine)
      for model in library.installed() {
        let loaded = library.options(options, for: model.name, path: model.path)
        let badge = try #require(FitBadge(model, options: loaded, on: machine))
        let fit = try #require(survey.fits.first { $0.name == model.name })
        #expect(badge.verdict == fit.verdict, "\(model.name), \(options)")
        #expect(badge.context == fit.verdictContext, "\(model.name), \(options)")
      }
    }
  }
}

private let gigabyte = 1_000_000_000
