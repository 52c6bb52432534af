import Kernels
package import Weights

/// A model's tensors as mlx-lm would hold them after loading any of the files that Pipit reads: its
/// names, its layout of convolutions, its offsets of norm weights, its order of heads.
package struct TensorExchange: Sendable {
  package let architecture: Architecture
  package let configuration: ModelConfiguration
  /// In the order of the model: embedding, layers, output.
  package let tensors: [ExchangeTensor]
  package let unused: [UnusedTensor]
  /// Whether the output is the embedding.
  package let isTied: Bool
  /// The divisors of the rotation's frequencies, where a file gives them as a tensor.
  package let ropeDivisors: [Float]?

  /// Finds and checks all tensors; reads no matrix.
  ///
  /// - Parameters:
  ///   - source: the model's files.
  ///   - settings: their settings.
  ///   - prefix: what stands before every name, such as `language_model.`.
  ///   - isTied: what the configuration says, if anything; else the absence of an output tells.
  /// - Throws: ``ModelError``, and ``ModelError/unknownTensor(_:)`` for what no part of the
  ///   architecture accounts for.
  package init(
    _ source: any WeightSource, settings: ModelSettings, prefix: String, isTied: Bool?
  ) throws {
    architecture = try settings.architecture()
    let plan = try ModelPlan(source, settings: settings)
    configuration = plan.configuration
    let finder = try TensorFinder(source, names: architecture.tensors)
    let hasOutput = finder.contains(TensorKey(.output))
    self.isTied = isTied ?? !hasOutput
    if !self.isTied, !hasOutput { throw ModelError.missingTensor("lm_head.weight") }

    var list = ExchangeList(
      finder: finder, architecture: architecture, configuration: configuration, prefix: prefix)
    try list.addModel(withOutput: !self.isTied)
    tensors = list.tensors
    ropeDivisors =
      finder.contains(TensorKey(.ropeDivisors))
      ? try finder.vector(TensorKey(.ropeDivisors), count: configuration.rope.dimensions / 2) : nil
    unused = try Self.unused(
      source, used: list.used, finder: finder, layers: configuration.layers.count)
  }

  private static func unused(
    _ source: any WeightSource, used: Set<String>, finder: TensorFinder, layers: Int
  ) throws -> [UnusedTensor] {
    var unused: [UnusedTensor] = []
    for name in source.tensorNames where !used.contains(name) {
      let module = String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
      if used.contains(module + ".weight"), name.hasSuffix(".scales") || name.hasSuffix(".biases") {
        continue
      }
      guard let reason = reason(name, isGGUF: source.form == .gguf, layers: layers) else {
        throw ModelError.unknownTensor(name)
      }
      unused.append(
        UnusedTensor(name: name, byteCount: try source.byteCount(name), reason: reason))
    }
    return unused
  }

  private static func reason(_ name: String, isGGUF: Bool, layers: Int) -> UnusedTensor.Reason? {
    if isGGUF {
      if name == "rope_freqs.weight" { return .rotation }
      if name == "output.weight" { return .tiedOutput }
      let parts = name.split(separator: ".")
      if ["v", "mm", "a"].contains(parts.first) { return .vision }
      // Blocks behind the model's own predict several tokens at once.
      if parts.first == "blk", parts.count > 1, let block = Int(parts[1]), block >= layers {
        return .prediction
      }
      return nil
    }
    let parts = name.split(separator: ".")
    if parts.contains("mtp") { return .prediction }
    for part in ["vision_tower", "visual", "multi_modal_projector", "vision_model", "audio_tower"]
    where parts.contains(Substring(part)) { return .vision }
    if name.hasSuffix("rotary_emb.inv_freq") { return .rotation }
    if parts.contains("lm_head") { return .tiedOutput }
    return nil
  }
}
