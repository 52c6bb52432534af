/// The numbers of a mixture of experts.
package struct ExpertShape: Sendable, Hashable {
  /// Routed experts of a layer.
  package var count: Int
  /// Experts that a token visits.
  package var active: Int
  /// Inner elements of one expert.
  package var size: Int
  /// Inner elements of the expert that every token visits, behind a gate of its own.
  package var sharedSize: Int?
  /// Whether the chosen experts' weights are made to sum to 1.
  package var isNormalised: Bool

  package init(count: Int, active: Int, size: Int, sharedSize: Int?, isNormalised: Bool) {
    self.count = count
    self.active = active
    self.size = size
    self.sharedSize = sharedSize
    self.isNormalised = isNormalised
  }
}

extension ExpertShape {
  /// Reads the routed experts' numbers, and the shared one's where the family has one.
  ///
  /// - Throws: ``ModelError`` naming the setting that is missing or senseless.
  init(_ settings: ModelSettings, hasShared: Bool) throws {
    count = try settings.count("expert_count", "num_experts", atMost: 1 << 12)
    active = try settings.count("expert_used_count", "num_experts_per_tok", atMost: count)
    size = try settings.count(
      "expert_feed_forward_length", "moe_intermediate_size", atMost: 1 << 22)
    sharedSize =
      hasShared
      ? try settings.count(
        "expert_shared_feed_forward_length", "shared_expert_intermediate_size", atMost: 1 << 22)
      : nil
    // GGUF has no key for it: the families that it knows all normalise.
    isNormalised = settings.boolean(json: "norm_topk_prob") ?? true
  }
}
