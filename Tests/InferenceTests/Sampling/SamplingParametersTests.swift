import Foundation
import Inference
import Testing

@Suite struct SamplingParametersTests {
  @Test func defaultsAreThoseOfTheDesign() {
    let parameters = SamplingParameters(model: nil)
    #expect(parameters.temperature == 0.7)
    #expect(parameters.topP == 0.95)
    #expect(parameters.topK == 20)
    #expect(parameters.repetitionPenalty == 1.05)
    #expect(SamplingParameters(model: SamplingOverrides()) == parameters)
  }

  @Test func modelThatNamesSomeMeansNeutralForTheRest() {
    let parameters = SamplingParameters(
      model: SamplingOverrides(temperature: 0.6, topK: 20),
      user: SamplingOverrides(topK: 5, minP: 0.1))
    #expect(
      parameters
        == SamplingParameters(
          temperature: 0.6, topK: 5, topP: 1, minP: 0.1, repetitionPenalty: 1))
  }

  @Test func temperatureZeroDropsAnUnaskedPenalty() {
    let zero = SamplingOverrides(temperature: 0)
    #expect(SamplingParameters(model: nil, user: zero).repetitionPenalty == 1)
    let asked = SamplingOverrides(temperature: 0, repetitionPenalty: 1.3)
    #expect(SamplingParameters(model: nil, user: asked).repetitionPenalty == 1.3)
  }

  @Test(arguments: [
    SamplingParameters(temperature: -1), SamplingParameters(temperature: .nan),
    SamplingParameters(topK: -1), SamplingParameters(topP: 0), SamplingParameters(topP: 1.1),
    SamplingParameters(minP: -0.1), SamplingParameters(repetitionPenalty: 0),
    SamplingParameters(presencePenalty: .infinity), SamplingParameters(frequencyPenalty: .nan),
  ])
  func nonsenseIsRefused(parameters: SamplingParameters) {
    #expect(throws: SamplingError.self) { try parameters.validate() }
    #expect(throws: SamplingError.self) {
      try Sampler(parameters, seed: 0, vocabularyCount: 1, contextLength: 1)
    }
  }

  @Test func jsonKeysAreThoseOfTheFlags() throws {
    let json = try JSONEncoder().encode(SamplingOverrides(topK: 3, repetitionPenalty: 2))
    let object = try #require(
      JSONSerialization.jsonObject(with: json) as? [String: Double])
    #expect(object == ["top_k": 3, "repeat_penalty": 2])
    #expect(
      try JSONDecoder().decode(SamplingOverrides.self, from: json)
        == SamplingOverrides(topK: 3, repetitionPenalty: 2))
  }
}
