import Kernels
import Weights

/// Where a layer's experts are in a file: one tensor each, all of a kind in one tensor, or gate and up
/// of all in one.
struct ExpertSources {
  private let finder: TensorFinder
  private let layer: Int
  private let shape: ExpertShape
  private let hidden: Int
  private let stacked: [TensorRole: any RowSource]

  init(_ finder: TensorFinder, layer: Int, _ shape: ExpertShape, hidden: Int) throws {
    self.finder = finder
    self.layer = layer
    self.shape = shape
    self.hidden = hidden
    var stacked: [TensorRole: any RowSource] = [:]
    for (role, rows, columns) in [
      (TensorRole.stackedGate, shape.size, hidden), (.stackedUp, shape.size, hidden),
      (.stackedGateUp, 2 * shape.size, hidden), (.stackedDown, hidden, shape.size),
      (.stackedDownOfGateUp, hidden, shape.size),
    ] {
      let key = TensorKey(role, layer: layer)
      if finder.contains(key) {
        stacked[role] = try finder.matrix(key, rows: rows * shape.count, columns: columns)
      }
    }
    stacked[.stackedDown] = stacked[.stackedDown] ?? stacked[.stackedDownOfGateUp]
    self.stacked = stacked
  }

  /// An expert's matrices by role.
  ///
  /// - Throws: ``ModelError`` when one is missing or has another shape.
  func matrices(of expert: Int) throws -> [(TensorRole, any RowSource)] {
    let size = shape.size
    let gate: any RowSource
    let up: any RowSource
    if let both = stacked[.stackedGateUp] {
      let first = expert * 2 * size
      gate = RowSlice(both, rows: first..<first + size)
      up = RowSlice(both, rows: first + size..<first + 2 * size)
    } else {
      gate = try matrix(.stackedGate, .expertGate, expert, rows: size, columns: hidden)
      up = try matrix(.stackedUp, .expertUp, expert, rows: size, columns: hidden)
    }
    let down = try matrix(.stackedDown, .expertDown, expert, rows: hidden, columns: size)
    return [(.expertGate, gate), (.expertUp, up), (.expertDown, down)]
  }

  private func matrix(
    _ stackedRole: TensorRole, _ role: TensorRole, _ expert: Int, rows: Int, columns: Int
  ) throws -> any RowSource {
    if let all = stacked[stackedRole] {
      return RowSlice(all, rows: expert * rows..<(expert + 1) * rows)
    }
    return try finder.matrix(
      TensorKey(role, layer: layer, expert: expert), rows: rows, columns: columns)
  }
}
