import Kernels

/// Keys or values after quantisation, number by number in the plainest way.
struct QuantisedRows {
  private let columns: Int
  private var numbers: [Double]

  subscript(row: Int, column: Int) -> Double { numbers[row * columns + column] }

  /// A channel of 64 keys shares a scale; the last keys, which fill no block, are left out.
  init(keys: FloatRows, type: KVType) {
    self.init(keys)
    guard type.isQuantised else { return }
    for first in stride(from: 0, to: keys.rows / 64 * 64, by: 64) {
      for column in 0..<keys.columns {
        quantise(keys, (first..<first + 64).map { ($0, column) }, bits: type.keyBits)
      }
    }
  }

  /// 32 channels of a value share a scale, and the last 48 if 16 would be left over.
  init(values: FloatRows, type: KVType, shape: AttentionShape) {
    self.init(values)
    guard type.isQuantised else { return }
    let groups = max(1, (shape.headDimension + 15) / 32)
    for row in 0..<values.rows {
      for head in 0..<shape.keyValueHeads {
        for group in 0..<groups {
          let end = group == groups - 1 ? shape.headDimension : (group + 1) * 32
          let columns = (group * 32..<end).map { (row, head * shape.headDimension + $0) }
          quantise(values, columns, bits: type.valueBits)
        }
      }
    }
  }

  private init(_ rows: FloatRows) {
    columns = rows.columns
    numbers = [Double](repeating: .nan, count: rows.rows * rows.columns)
  }

  private mutating func quantise(_ source: FloatRows, _ places: [(Int, Int)], bits: Int) {
    let x = places.map { Float(Float16(source[$0.0, $0.1])) }
    let most = Float((1 << bits) - 1)
    let low = x.min() ?? 0
    let scale = Float(Float16(((x.max() ?? 0) - low) * (1 / most)))
    let factor = scale == 0 ? 0 : 1 / scale
    for (place, x) in zip(places, x) {
      let code = min((((x - low) * factor)).rounded(.toNearestOrEven), most)
      numbers[place.0 * columns + place.1] = Double(scale) * Double(code) + Double(low)
    }
  }
}
