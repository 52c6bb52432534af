import Inference
import JSON
import ModelLibrary

extension ModelsCommand {
  // `models pull NAME`
  func pull() async throws -> ExitCode {
    try invocation.refuseArguments(after: 2)
    let request = try invocation.argument(1, "NAME")
    let pause = PauseSwitch()
    let installer = ModelInstaller(
      library: library, catalog: catalog, settings: settings, pause: pause)
    do {
      let plan = try await paused(pause) { try installer.plan(request) }
      if case .none = plan.method {
        return try report(try library.installed(plan.name), ModelWords.alreadyInstalled(plan.name))
      }
      guard try consent(plan) else {
        console.note(ModelWords.notPulled)
        return .done
      }
      let meter = DownloadMeter(console: console)
      let model = try await paused(pause) {
        defer { meter.clear() }
        return try installer.install(plan) { meter.show($0) }
      }
      return try report(model, ModelWords.installed(model, command: usage(model.name)))
    } catch NetworkError.paused(let done, let total) {
      console.complain(ModelWords.paused(done: done, total: total, request: request))
      return .interrupted
    }
  }

  /// Says what is to be fetched, how it fits and under which licence, and asks.
  private func consent(_ plan: PullPlan) throws -> Bool {
    let menu = try ModelMenu(self, isInstalledOnly: false)
    let machine = MachineMemory.probe()
    let fit = plan.choice.map { FitBadge($0, options: options.modelOptions, on: machine) }
    let row = MenuRow(
      name: plan.name, byteCount: plan.byteCount ?? 0, isEstimate: plan.byteCount == nil,
      title: plan.title, fit: fit, choice: plan.choice)
    for line in ModelWords.plan(plan) { console.note(line) }
    if fit == nil, let bytes = plan.byteCount, let available = machine.available,
      bytes > available
    {
      console.note(
        ModelWords.fit(
          .tooLarge, needed: bytes, available: available, alternative: menu.alternative?.name))
    } else {
      console.note(fitSentence(row, menu))
    }
    return try isAgreed(ModelWords.question(plan))
  }

  private func usage(_ name: String) -> String {
    let isOnly = library.installed().count == 1
    return isOnly ? "pipit" : "pipit -m \(name)"
  }

  /// Tells of a model that is there now.
  func report(_ model: InstalledModel, _ sentence: String) throws -> ExitCode {
    if isJSON {
      let object: JSONValue = [
        "name": .string(model.name), "path": .string(model.path),
        "bytes": .integer(model.byteCount),
      ]
      try console.write(object.text + "\n")
    } else {
      console.note(sentence)
    }
    return .done
  }
}
