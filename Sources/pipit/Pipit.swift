import Glibc
import Inference
import JSON
import ModelLibrary

@main
struct Pipit {
  static func main() async {
    Descriptor.holdStandardStreams()
    do {
      try AddressSpace.prepare()
    } catch {
      Console(color: .automatic, isQuiet: false).complain(error.description)
      // Not by returning: on its way out the runtime makes a thread.
      exit(ExitCode.memoryRefused.rawValue)
    }
    Signals.start()
    exit(await run().rawValue)
  }

  /// The arguments, which `CommandLine` would mend where they are not UTF-8: a prompt that is not
  /// what was meant must not be answered.
  private static func arguments() throws(ArgumentError) -> [String] {
    var arguments: [String] = []
    for number in 0..<Int(CommandLine.argc) where number > 0 {
      guard let pointer = unsafe CommandLine.unsafeArgv[number] else { break }
      guard let argument = unsafe String(validatingCString: pointer) else {
        let bytes = unsafe (0..<strlen(pointer)).map { unsafe UInt8(bitPattern: pointer[$0]) }
        throw .binaryArgument(number: number, offset: StandardInput.firstInvalidByte(bytes))
      }
      arguments.append(argument)
    }
    return arguments
  }

  /// Runs a command line to its exit code; the one place where errors become sentences.
  private static func run() async -> ExitCode {
    var console = Console(color: .automatic, isQuiet: false)
    var form = OutputForm.text
    var command: Command?
    do {
      let arguments = try Self.arguments()
      command = .likely(arguments)
      let line = try ParsedLine(arguments)
      command = nil
      let isTerminal = Descriptor.input.isTerminal && Descriptor.output.isTerminal
      let request = line.request
      if line.positionals.isEmpty, let request {
        try console.write(request == .help ? HelpText.overview() : Version.line)
        return .done
      }
      let (resolved, words) = try resolve(line, isTerminal: isTerminal)
      command = resolved
      if let request {
        try console.write(request == .help ? HelpText.page(resolved) : Version.line)
        return .done
      }
      let options = try line.options(for: resolved)
      console = Console(color: options.color, isQuiet: options.quiet)
      form = options.form
      try HomeFolder.require(environment)
      return try await resolved.run(
        Invocation(command: resolved, options: options, arguments: words, console: console))
    } catch {
      if let failure = error as? SystemError, failure.isClosedPipe { return .done }
      if let object = JSONValue.refusal(error, form: form) {
        try? console.write(object.text + "\n")
      }
      if let sentence = Sentence.of(error) { console.complain(sentence) }
      if error is ArgumentError {
        console.hint(Sentence.hint(command))
      }
      return ExitCode(for: error)
    }
  }
}
