import Conversations
import Inference

extension Options {
  /// The flags that concern loading.
  var modelOptions: ModelOptions {
    var options = ModelOptions(contextLength: context, keyValueBits: keyValueBits)
    options.backend = backend.flatMap { ModelOptions.Backend(rawValue: $0.rawValue) }
    if case .count(let count)? = threads { options.threads = count }
    return options
  }

  /// The flags that concern replies.
  var chatSettings: ChatSettings {
    ChatSettings(
      system: system, isThinking: think ?? false, thinkingBudget: thinkBudget,
      sampling: SamplingOverrides(
        temperature: sampling.temperature, topK: sampling.topK, topP: sampling.topP,
        minP: sampling.minP, repetitionPenalty: sampling.repeatPenalty,
        presencePenalty: sampling.presencePenalty, frequencyPenalty: sampling.frequencyPenalty),
      maximumTokens: sampling.maxTokens, stopStrings: sampling.stop, seed: sampling.seed,
      overflow: overflow ?? .refuse,
      drafting: drafting ?? .whenFaster)
  }

  /// Puts what the flags say in place of a conversation's own settings.
  func override(_ settings: inout ChatSettings) {
    let mine = chatSettings
    settings.system = mine.system ?? settings.system
    settings.isThinking = think ?? settings.isThinking
    settings.thinkingBudget = mine.thinkingBudget ?? settings.thinkingBudget
    settings.sampling = settings.sampling.overridden(by: mine.sampling)
    settings.maximumTokens = mine.maximumTokens ?? settings.maximumTokens
    settings.drafting = mine.drafting
    if !mine.stopStrings.isEmpty { settings.stopStrings = mine.stopStrings }
    settings.seed = mine.seed ?? settings.seed
    settings.overflow = overflow ?? settings.overflow
  }
}

extension SamplingOverrides {
  /// These, with what the others give in their place.
  fileprivate func overridden(by others: SamplingOverrides) -> SamplingOverrides {
    SamplingOverrides(
      temperature: others.temperature ?? temperature, topK: others.topK ?? topK,
      topP: others.topP ?? topP, minP: others.minP ?? minP,
      repetitionPenalty: others.repetitionPenalty ?? repetitionPenalty,
      presencePenalty: others.presencePenalty ?? presencePenalty,
      frequencyPenalty: others.frequencyPenalty ?? frequencyPenalty)
  }
}
