import Conversations
import Inference
import Markdown
import ModelLibrary

/// Commands about what answers, and how.
extension ChatCommand {
  static let modelCommands: [ChatCommand] = [
    ChatCommand(
      name: "/system", argument: "[TEXT|-]",
      help: "show or set the system prompt; - takes it away",
      detail: "A change has the whole conversation read anew."
    ) { chat, argument in
      if argument.isEmpty {
        chat.console.say(await chat.session.settings.system ?? ChatWords.noSystem)
        return .next
      }
      await chat.session.setSystem(argument == "-" ? nil : argument)
      chat.console.note(ChatWords.systemChanged)
      return .next
    },
    ChatCommand(
      name: "/model", argument: "[NAME]", help: "show the models, or change to one",
      detail: "NAME is a model that is here or a path. The conversation goes on with it.",
      completion: .models
    ) { chat, argument in
      if argument.isEmpty {
        chat.showModels()
      } else {
        try await chat.loadModel(argument)
      }
      return .next
    },
    ChatCommand(
      name: "/think", argument: "[fold|show|hide|budget N]",
      help: "let the model think before it answers",
      detail: """
        fold shows thoughts while they stream and then one line, show keeps them, hide tells only \
        how long it took; the choice holds for later chats too. budget N closes the thoughts after \
        N tokens; budget - has no limit.
        """,
      completion: .words(ThinkingDisplay.allCases.map(\.rawValue) + ["budget"]),
      isAboutThinking: true
    ) { chat, argument in
      try await chat.think(argument)
    },
    ChatCommand(name: "/fast", help: "let the model answer at once", isAboutThinking: true) {
      chat, _ in
      await chat.setThinking(false)
      return .next
    },
    ChatCommand(
      name: "/params", argument: "[NAME VALUE]", help: "show or change how replies are sampled",
      detail: """
        /params temperature 0.2 changes one, and - in place of a number goes back to the model's \
        own. The names are those of the command line's flags.
        """,
      completion: .words(ReplyParameter.all.map(\.name))
    ) { chat, argument in
      try await chat.params(argument)
    },
  ]
}

extension Chat {
  func showModels() {
    let current = session.engine.loaded?.name
    let names = invocation.library.available().map(\.name)
    let all = current.map { names.contains($0) ? names : [$0] + names } ?? names
    console.say(all.map { ($0 == current ? "* " : "  ") + $0 }.joined(separator: "\n"))
  }

  func loadModel(_ name: String) async throws {
    do {
      let model = try invocation.modelReference(name)
      let meter = ProgressMeter(console: console)
      defer { meter.clear() }
      let description = try await session.loadModel(
        model, budget: invocation.memoryBudget
      ) { progress in
        meter.show(progress)
      }
      meter.clear()
      console.note(ChatWords.modelChanged(description))
    } catch {
      if !isInteractive { throw error }
      if let sentence = Sentence.of(error) { console.complain(sentence) }
      console.note(ChatWords.oldModelKept)
    }
  }

  func setThinking(_ isThinking: Bool) async {
    await session.setThinking(isThinking)
    if let model = session.engine.loaded, let remark = Remark.thinking(isThinking, model) {
      console.note(remark)
    } else {
      console.note(isThinking ? ChatWords.thinking : ChatWords.fast)
    }
  }

  func think(_ argument: String) async throws -> ChatCommand.Step {
    let (word, rest) = argument.firstWord
    if word.isEmpty {
      await setThinking(true)
    } else if let chosen = ThinkingDisplay(rawValue: word), rest.isEmpty {
      display = chosen
      console.note(ChatWords.thoughts(chosen))
      // What a script sets is for its own run.
      if isInteractive { try invocation.library.configure { $0.thoughts = chosen.rawValue } }
    } else if word == "budget" {
      try await setParameter("think-budget", rest, form: "/think budget N")
    } else {
      throw SlashError.badArgument(
        form: "/think [fold|show|hide|budget N]", found: argument,
        expected: "fold, show, hide or budget N")
    }
    return .next
  }

  func params(_ argument: String) async throws -> ChatCommand.Step {
    let (name, value) = argument.firstWord
    if name.isEmpty {
      await showParameters()
    } else {
      try await setParameter(name, value, form: "/params NAME VALUE")
    }
    return .next
  }

  private func showParameters() async {
    let settings = await session.settings
    let effective = SamplingParameters(
      model: session.engine.loaded?.sampling, user: settings.sampling)
    var lines: [StyledLine] = []
    for parameter in ReplyParameter.all {
      let padding = String(repeating: " ", count: 19 - parameter.name.count)
      var line = StyledLine(parameter.name + padding)
      let chosen = parameter.chosen(settings)
      line.append(Span(chosen ?? parameter.effective(effective), chosen == nil ? .dim : .bold))
      lines.append(line)
    }
    console.show(lines)
  }

  private func setParameter(_ name: String, _ value: String, form: String) async throws {
    let known = ReplyParameter.all.map(\.name)
    guard let parameter = ReplyParameter.all.first(where: { $0.name == name }) else {
      let nearest = nearestName(to: name, in: known).map { "; did you mean \($0)?" } ?? ""
      throw SlashError.badArgument(
        form: form, found: name, expected: known.joined(separator: ", ") + nearest)
    }
    var settings = await session.settings
    guard parameter.set(value, &settings) else {
      throw SlashError.badArgument(
        form: form, found: value, expected: "\(parameter.range) or - for \(name)")
    }
    await session.setSettings(settings)
    console.note(ChatWords.parameter(name, parameter.chosen(settings)))
  }
}
