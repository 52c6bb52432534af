/// Sizes of the gated delta net layers.
package struct DeltaNetConfiguration: Sendable, Hashable {
  package var keyHeads: Int
  package var valueHeads: Int
  package var keyDimension: Int
  package var valueDimension: Int
  /// Taps of the causal convolution.
  package var taps: Int
  /// Which key head a value head uses.
  package var headOrder: HeadOrder

  package enum HeadOrder: Sendable {
    /// Value head h uses key head h / (valueHeads / keyHeads): MLX and Hugging Face.
    case grouped
    /// Value head h uses key head h mod keyHeads: GGUF, whose converter reorders the heads.
    case tiled
  }

  /// Elements of all query or key heads.
  package var keyWidth: Int { keyHeads * keyDimension }
  /// Elements of all value heads.
  package var valueWidth: Int { valueHeads * valueDimension }
  /// Channels of the convolution: queries, keys, values.
  package var channels: Int { 2 * keyWidth + valueWidth }

  init(_ settings: ModelSettings) throws {
    keyHeads = try settings.count("ssm.group_count", "linear_num_key_heads", atMost: 1 << 12)
    valueHeads = try settings.count("ssm.time_step_rank", "linear_num_value_heads", atMost: 1 << 12)
    keyDimension = try settings.count("ssm.state_size", "linear_key_head_dim", atMost: 1 << 12)
    if settings.isGGUF {
      let inner = try settings.count("ssm.inner_size", nil, atMost: 1 << 22)
      guard inner.isMultiple(of: valueHeads) else {
        throw ModelError.setting(
          settings.name("ssm.inner_size", nil), "\(inner) does not divide among \(valueHeads) heads")
      }
      valueDimension = inner / valueHeads
    } else {
      valueDimension = try settings.count(nil, "linear_value_head_dim", atMost: 1 << 12)
    }
    taps = try settings.count("ssm.conv_kernel", "linear_conv_kernel_dim", atMost: 16)
    headOrder = settings.isGGUF ? .tiled : .grouped
    guard valueHeads.isMultiple(of: keyHeads) else {
      throw ModelError.setting(
        settings.name("ssm.time_step_rank", "linear_num_value_heads"),
        "\(valueHeads) value heads do not divide among \(keyHeads) key heads")
    }
    guard taps == 4 else {
      throw ModelError.setting(
        settings.name("ssm.conv_kernel", "linear_conv_kernel_dim"), "\(taps) taps, not 4")
    }
  }
}
