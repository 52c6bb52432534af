import Kernels

extension DeltaNetShape {
  /// The sizes of a model's gated delta net layers.
  ///
  /// GGUF's converter reorders the value heads, so that they lie as many apart as there are key
  /// heads.
  ///
  /// - Throws: ``ModelError`` naming the setting that is missing or senseless.
  init(_ settings: ModelSettings) throws {
    let keyHeads = try settings.count("ssm.group_count", "linear_num_key_heads", atMost: 1 << 12)
    let valueHeads = try settings.count(
      "ssm.time_step_rank", "linear_num_value_heads", atMost: 1 << 12)
    guard valueHeads.isMultiple(of: keyHeads) else {
      throw ModelError.setting(
        settings.name("ssm.time_step_rank", "linear_num_value_heads"),
        "\(valueHeads) value heads do not divide among \(keyHeads) key heads")
    }
    let valueDimension: Int
    if settings.isGGUF {
      let inner = try settings.count("ssm.inner_size", nil, atMost: 1 << 22)
      guard inner.isMultiple(of: valueHeads) else {
        throw ModelError.setting(
          settings.name("ssm.inner_size", nil),
          "\(inner) does not divide among \(valueHeads) heads")
      }
      valueDimension = inner / valueHeads
    } else {
      valueDimension = try settings.count(nil, "linear_value_head_dim", atMost: 1 << 12)
    }
    let taps = try settings.countIfPresent(
      "ssm.conv_kernel", "linear_conv_kernel_dim", atMost: 1 << 10)
    guard taps ?? DeltaNetShape.taps == DeltaNetShape.taps else {
      throw ModelError.setting(
        settings.name("ssm.conv_kernel", "linear_conv_kernel_dim"),
        "\(taps ?? 0) taps, not \(DeltaNetShape.taps)")
    }
    self.init(
      keyHeads: keyHeads, valueHeads: valueHeads,
      keyDimension: try settings.count("ssm.state_size", "linear_key_head_dim", atMost: 1 << 12),
      valueDimension: valueDimension, headOrder: settings.isGGUF ? .tiled : .grouped)
  }
}
