/// Bits of a cached key and of a cached value.
package enum KeyValueBits: String, Sendable, Hashable, CaseIterable, Codable {
  case thirtyTwo = "32"
  case sixteen = "16"
  case eight = "8"
  /// Eight for keys, four for values.
  case eightAndFour = "8/4"
  case fourAndEight = "4/8"
  case four = "4"

  package var keys: Int {
    switch self {
    case .thirtyTwo: 32
    case .sixteen: 16
    case .eight, .eightAndFour: 8
    case .fourAndEight, .four: 4
    }
  }

  package var values: Int {
    switch self {
    case .thirtyTwo: 32
    case .sixteen: 16
    case .eight, .fourAndEight: 8
    case .eightAndFour, .four: 4
    }
  }
}
