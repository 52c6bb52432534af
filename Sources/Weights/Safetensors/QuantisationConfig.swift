import JSON

/// What config.json says about quantisation.
///
/// It is only a check: real files exist whose top-level bits are wrong for some modules, so widths
/// and groups come from the shapes.
struct QuantisationConfig {
  private let settings: JSONValue?

  init(_ config: JSONValue?) {
    settings =
      config?["quantization"] ?? config?["quantization_config"]
      ?? config?["text_config"]?["quantization_config"]
  }

  /// Whether there is any.
  var isPresent: Bool { settings != nil }

  /// Throws if the whole checkpoint is quantised in another way than MLX's affine one.
  func check(file: String) throws(WeightsError) {
    if let method = settings?["quant_method"]?.stringValue {
      throw .unsupported(file: file, .quantisation(method))
    }
    if let mode = settings?["mode"]?.stringValue, mode != "affine" {
      throw .unsupported(file: file, .quantisation(mode))
    }
  }

  /// The mode of a module, if it is given.
  func mode(_ module: String) -> String? {
    (settings?[module]?["mode"] ?? settings?["mode"])?.stringValue
  }

  /// The width of a module, if it is given.
  func bits(_ module: String) -> Int? {
    (settings?[module]?["bits"] ?? settings?["bits"])?.intValue
  }
}
