/// How a matrix of a checkpoint is packed, by its shapes and the configuration.
package struct Packing: Sendable, Hashable {
  /// The way of quantising by its own name; affine where the configuration names none.
  package let mode: String
  package let bits: Int
  package let group: Int
  /// Numbers in a row.
  package let columns: Int

  /// Whether Pipit computes with it.
  package var isSupported: Bool { mode == Self.affine }

  static let affine = "affine"
}

extension SafetensorsCheckpoint {
  /// How a tensor is packed; nil if it is not, or its shapes fit no width.
  ///
  /// Reads no weight.
  package func packing(of name: String) -> Packing? {
    guard name.hasSuffix(".weight") else { return nil }
    let module = String(name.dropLast(".weight".count))
    guard let weight = try? tensor(name), weight.type == .uint32,
      let scales = try? tensor(module + ".scales"),
      let columns = quantisation.columns(module, words: weight.columns),
      let shape = PackedShape(weight: weight.shape, scales: scales.shape, columns: columns)
    else { return nil }
    let mode =
      quantisation.mode(module)
      ?? (contains(module + ".biases") ? Packing.affine : "unknown")
    return Packing(mode: mode, bits: shape.bits, group: shape.group, columns: columns)
  }
}
