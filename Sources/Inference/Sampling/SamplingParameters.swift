/// How a token is chosen from the model's logits.
///
/// The order is fixed: penalties, temperature, top-k, top-p, min-p, draw. A temperature of 0 takes
/// the likeliest token after the penalties.
package struct SamplingParameters: Sendable, Hashable, Codable {
  /// Divides the logits; 0 is greedy.
  package var temperature: Double
  /// Keeps the k likeliest tokens; 0 keeps all.
  package var topK: Int
  /// Keeps the likeliest tokens that together reach this probability; 1 keeps all.
  package var topP: Double
  /// Keeps tokens at least this likely in proportion to the likeliest; 0 keeps all.
  package var minP: Double
  /// Divides positive and multiplies negative logits of tokens already in the context; 1 is off.
  package var repetitionPenalty: Double
  /// Taken from the logit of every token generated before; 0 is off.
  package var presencePenalty: Double
  /// Taken from a token's logit once for each time it was generated before; 0 is off.
  package var frequencyPenalty: Double

  /// The defaults for a model that gives none.
  package init(
    temperature: Double = 0.7, topK: Int = 20, topP: Double = 0.95, minP: Double = 0,
    repetitionPenalty: Double = 1.05, presencePenalty: Double = 0, frequencyPenalty: Double = 0
  ) {
    self.temperature = temperature
    self.topK = topK
    self.topP = topP
    self.minP = minP
    self.repetitionPenalty = repetitionPenalty
    self.presencePenalty = presencePenalty
    self.frequencyPenalty = frequencyPenalty
  }

  /// Parameters that change nothing: what a model means that names only some.
  package static let neutral = SamplingParameters(
    temperature: 1, topK: 0, topP: 1, repetitionPenalty: 1)

  /// Always the likeliest token.
  package static let greedy = SamplingParameters(
    temperature: 0, topK: 0, topP: 1, repetitionPenalty: 1)

  package enum CodingKeys: String, CodingKey {
    case temperature
    case topK = "top_k"
    case topP = "top_p"
    case minP = "min_p"
    case repetitionPenalty = "repeat_penalty"
    case presencePenalty = "presence_penalty"
    case frequencyPenalty = "frequency_penalty"
  }
}

/// Some of the sampling parameters: a model's own, or a user's.
package struct SamplingOverrides: Sendable, Hashable, Codable {
  package var temperature: Double?
  package var topK: Int?
  package var topP: Double?
  package var minP: Double?
  package var repetitionPenalty: Double?
  package var presencePenalty: Double?
  package var frequencyPenalty: Double?

  package init(
    temperature: Double? = nil, topK: Int? = nil, topP: Double? = nil, minP: Double? = nil,
    repetitionPenalty: Double? = nil, presencePenalty: Double? = nil,
    frequencyPenalty: Double? = nil
  ) {
    self.temperature = temperature
    self.topK = topK
    self.topP = topP
    self.minP = minP
    self.repetitionPenalty = repetitionPenalty
    self.presencePenalty = presencePenalty
    self.frequencyPenalty = frequencyPenalty
  }

  /// Whether nothing is given.
  package var isEmpty: Bool { self == SamplingOverrides() }

  package typealias CodingKeys = SamplingParameters.CodingKeys
}

extension SamplingParameters {
  /// What a user gets: the user's choices over the model's, over the defaults.
  ///
  /// A model that names any parameter means the neutral value of those it does not name; for one
  /// that names none, Pipit's defaults stand. A user who asks for temperature 0 means the
  /// likeliest token as the model has it, so a repetition penalty then has to be asked for too.
  package init(model: SamplingOverrides?, user: SamplingOverrides = SamplingOverrides()) {
    if let model, !model.isEmpty {
      self = .neutral.overridden(by: model).overridden(by: user)
    } else {
      self = SamplingParameters().overridden(by: user)
    }
    if user.temperature == 0, user.repetitionPenalty == nil { repetitionPenalty = 1 }
  }

  /// These parameters with some replaced.
  package func overridden(by overrides: SamplingOverrides) -> SamplingParameters {
    SamplingParameters(
      temperature: overrides.temperature ?? temperature,
      topK: overrides.topK ?? topK,
      topP: overrides.topP ?? topP,
      minP: overrides.minP ?? minP,
      repetitionPenalty: overrides.repetitionPenalty ?? repetitionPenalty,
      presencePenalty: overrides.presencePenalty ?? presencePenalty,
      frequencyPenalty: overrides.frequencyPenalty ?? frequencyPenalty)
  }
}
