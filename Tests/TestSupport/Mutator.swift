import FoundationEssentials

/// Damages sound files, the same way for the same seed.
package struct Mutator: Sendable {
  private var generator: SeededGenerator

  /// How many mutations a test makes: `PIPIT_FUZZ_ITERATIONS`, or `usual`.
  package static func iterations(usual: Int) -> Int { requested ?? usual }

  /// Whether a number was asked for, which is done in runs of fuzz tests alone.
  package static var isFuzzing: Bool { requested != nil }

  private static let requested =
    ProcessInfo.processInfo.environment["PIPIT_FUZZ_ITERATIONS"].flatMap(Int.init)

  package init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// A copy with one to four changes: bits flipped, numbers set to extremes, bytes cut, doubled,
  /// moved or overwritten.
  package mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
      change(&bytes)
    }
    return bytes
  }

  private static let extremes: [UInt64] = [
    0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 32,
    1 << 48, 1 << 62, (1 << 63) - 1, 1 << 63, .max - 31, .max - 7, .max,
  ]

  private mutating func change(_ bytes: inout [UInt8]) {
    let at = Int.random(in: 0..<bytes.count, using: &generator)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: bytes[at] = UInt8.random(in: 0...255, using: &generator)
    case 2:
      let size = [1, 2, 4, 8].randomElement(using: &generator) ?? 1
      let value = Self.extremes.randomElement(using: &generator) ?? 0
      for index in 0..<size where at + index < bytes.count {
        bytes[at + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
      }
    case 3: bytes.removeSubrange(at...)
    case 4:
      let end = min(bytes.count, at + Int.random(in: 1...16, using: &generator))
      bytes.removeSubrange(at..<end)
    case 5:
      let end = min(bytes.count, at + Int.random(in: 1...64, using: &generator))
      bytes.insert(contentsOf: bytes[at..<end], at: at)
    case 6:
      let to = Int.random(in: 0..<bytes.count, using: &generator)
      let length = min(bytes.count - max(at, to), Int.random(in: 1...32, using: &generator))
      for index in 0..<length { bytes[to + index] = bytes[at + index] }
    default:
      let text = Array("0123456789{}[]\",:.-eE\\u".utf8)
      bytes[at] = text.randomElement(using: &generator) ?? 0x30
    }
  }
}
