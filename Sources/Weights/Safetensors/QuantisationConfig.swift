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
    if let mode = settings?["mode"]?.stringValue, mode != Packing.affine {
      throw .unsupported(file: file, .quantisation(mode))
    }
  }

  /// The mode of a module, if it is given.
  func mode(_ module: String) -> String? {
    (settings?[module]?["mode"] ?? settings?["mode"])?.stringValue
  }

  /// How many codes a row of so many 32-bit words packs, where the width is given.
  func columns(_ module: String, words: Int) -> Int? {
    guard let bits = (settings?[module]?["bits"] ?? settings?["bits"])?.intValue, bits > 0 else {
      return nil
    }
    let (packedBits, overflow) = words.multipliedReportingOverflow(by: 32)
    return overflow ? nil : packedBits / bits
  }
}
