import Inference
import JSON
import ModelLibrary

extension ModelsCommand {
  // `models add PATH`
  func add() async throws -> ExitCode {
    try invocation.refuseArguments(after: 2)
    let path = try invocation.argument(1, "PATH")
    let choice = options.library
    let library = library
    let model = try await paused(PauseSwitch()) {
      try library.add(path, as: choice.name, choice.addMethod)
    }
    return try report(model, ModelWords.added(model, choice.addMethod))
  }

  // `models rm NAME`, `models rm --undo NAME`
  func remove() throws -> ExitCode {
    try invocation.refuseArguments(after: 2)
    let name = try invocation.argument(1, "NAME")
    if options.library.isUndone {
      return try report(try library.restore(name), ModelWords.restored(name))
    }
    if let path = try? library.installed(name).path { preparedStore.remove(ofModel: path) }
    let model = try library.remove(name)
    sentinel.clear(path: model.path)
    return try report(model, ModelWords.removed(name))
  }

  /// What remembers loads that killed the process.
  private var sentinel: LoadSentinel { LoadSentinel(directory: library.directories.loads) }

  /// What has the prepared weights of earlier loads.
  var preparedStore: PreparedStore { PreparedStore(directory: library.directories.prepared) }

  // `models verify [NAME…]`
  func verify() async throws -> ExitCode {
    let library = library
    let names = invocation.arguments.dropFirst().map(\.text)
    let models =
      try names.isEmpty
      ? library.installed() + library.bundled() : names.map { try library.installed($0) }
    let pause = PauseSwitch()
    var isSound = true
    var rows: [JSONValue] = []
    for model in models {
      let meter = DownloadMeter(console: console)
      let report: VerifyReport
      do {
        report = try await paused(pause) {
          defer { meter.clear() }
          return try library.verify(model, pause: pause) { meter.show($0) }
        }
      } catch NetworkError.paused {
        return .interrupted
      }
      isSound = isSound && report.isSound
      if report.isSound { sentinel.clear(path: model.path) }
      if isJSON {
        rows.append(report.json)
      } else {
        for line in ModelWords.verified(report) { try console.writeWords(line + "\n") }
      }
    }
    if isJSON { try console.write(JSONValue.array(rows).text + "\n") }
    return isSound ? .done : .fileInvalid
  }

  // `models gc`
  func collect() throws -> ExitCode {
    try invocation.refuseArguments(after: 1)
    let leftovers = library.leftovers()
    preparedStore.removeUseless()
    if !isJSON {
      for item in leftovers { try console.writeWords(ModelWords.leftover(item) + "\n") }
    }
    var freed = 0
    var removed: [Leftover] = []
    var busy: [Leftover] = []
    if leftovers.isEmpty {
      if !isJSON { console.note(ModelWords.nothingToFree) }
    } else if try isAgreed(
      ModelWords.freeQuestion(leftovers.reduce(0) { $0 + $1.byteCount }))
    {
      for item in leftovers {
        do {
          try library.purge(item)
          freed += item.byteCount
          removed.append(item)
        } catch LibraryError.busy {
          busy.append(item)
        }
      }
      for item in busy { console.note(ModelWords.busyLeftover(item)) }
      if !isJSON { console.note(ModelWords.freed(freed)) }
    }
    if isJSON {
      let object: JSONValue = [
        "freed_bytes": .integer(freed), "removed": .array(removed.map(\.json)),
        "busy": .array(busy.map(\.json)),
      ]
      try console.write(object.text + "\n")
    }
    return .done
  }

  // `models path [NAME]`
  func path() throws -> ExitCode {
    try invocation.refuseArguments(after: 2)
    let name = invocation.arguments.dropFirst().first?.text
    let path = try name.map { try library.installed($0).path } ?? library.directories.models
    try console.write((isJSON ? JSONValue.string(path).text : path) + "\n")
    return .done
  }

  // `models default [NAME]`
  func setDefault() throws -> ExitCode {
    try invocation.refuseArguments(after: 2)
    guard let name = invocation.arguments.dropFirst().first?.text else {
      let name = try library.resolve(nil).name
      try console.write((isJSON ? JSONValue.string(name).text : name) + "\n")
      return .done
    }
    return try report(try library.setDefault(name), ModelWords.isDefault(name))
  }
}

extension Leftover {
  fileprivate var json: JSONValue {
    .members([
      ("kind", .string(kind.rawValue)), ("name", .string(name)), ("bytes", .integer(byteCount)),
      ("touched", .integer(touched)),
    ])
  }
}

extension VerifyReport {
  fileprivate var json: JSONValue {
    .members([
      ("name", .string(name)), ("sound", .bool(isSound)),
      (
        "files",
        .array(files.map { ["name": .string($0.name), "state": .string($0.state.word)] })
      ),
    ])
  }
}
