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
      overflow: overflow)
  }
}
