import Dispatch
import Inference
import JSON
import ModelLibrary
import Synchronization

/// Whether something has been told before.
private final class Told: Sendable {
  private let isTold = Atomic(false)

  func first() -> Bool { !isTold.exchange(true, ordering: .relaxed) }
}

/// The parts of `pipit models`, a file each.
struct ModelsCommand: Sendable {
  let invocation: Invocation
  let library: ModelLibrary
  let catalog: Catalog

  var console: Console { invocation.console }
  var options: Options { invocation.options }
  var isJSON: Bool { options.form == .json }

  init(_ invocation: Invocation) {
    self.invocation = invocation
    library = invocation.library
    let (catalog, problems) = Catalog.load(library.directories)
    self.catalog = catalog
    for problem in problems { invocation.console.note(problem.description) }
  }

  var settings: NetworkSettings {
    var settings = NetworkSettings(environment: environment)
    if options.offline { settings.offlineSwitch = "--offline" }
    let (console, hasTold) = (console, Told())
    settings.retrying = { note in
      // A log needs to hear of it, but not of each time.
      if console.hasMeters || hasTold.first() { console.note(ModelWords.retrying(note)) }
    }
    return settings
  }

  /// The registry; what was wrong with it is said.
  func registry() -> Registry {
    let (registry, notes) = library.registry()
    for note in notes { console.note(note.sentence) }
    return registry
  }

  /// Runs what blocks on a thread of its own; Ctrl-C pauses it.
  func paused<Value: Sendable>(
    _ pause: PauseSwitch, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let interrupt = Interrupt()
    Signals.listen { signal in
      if interrupt.note(signal) { pause.pause() }
    }
    defer {
      Signals.listen(nil)
      Signals.settle()
    }
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "models").async {
        continuation.resume(with: Result { try body() })
      }
    }
  }

  /// Asks on the terminal; without one `--yes` has to have said it.
  ///
  /// - Throws: `ArgumentError.needsConsent`.
  func isAgreed(_ question: String) throws -> Bool {
    if options.library.isAgreed { return true }
    guard Descriptor.input.isTerminal, console.errorsAreTerminal else {
      throw ArgumentError.needsConsent(command: "models")
    }
    console.ask(question + " [y/N] ")
    var line = ""
    while let byte = try Descriptor.input.read(1).first, byte != 0x0A {
      line.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return ["y", "yes"].contains(line.lowercased().filter { !$0.isWhitespace })
  }
}
