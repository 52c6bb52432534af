import Foundation
import TestSupport

import Tokenizers

/// A vocabulary from a `.vocab` file, spelled as GGUF spells it; `Scripts/fixtures/make_vocabularies.py`
/// makes the files and describes them.
struct VocabularyFixture {
  private(set) var tokens = ByteStrings()
  private(set) var kinds: [Int32] = []
  private(set) var merges = ByteStrings()

  init(name: String) throws {
    let bytes = [UInt8](try Fixtures.tokenizers.data(name))
    let spellings = Self.spellings()
    var position = 12
    while position < bytes.count {
      let header = Int(bytes[position]) | Int(bytes[position + 1]) << 8
      let left = Int(bytes[position + 2])
      let start = position + 3
      let end = start + header & 0x7FFF
      position = end
      if header & 0x8000 != 0 {
        tokens.append(bytes[start..<end])
        kinds.append(3)
        continue
      }
      tokens.append(bytes[start..<end].flatMap { spellings[Int($0)] })
      kinds.append(1)
      if left > 0 {
        merges.append(
          bytes[start..<start + left].flatMap { spellings[Int($0)] } + [0x20]
            + bytes[start + left..<end].flatMap { spellings[Int($0)] })
      }
    }
  }

  mutating func append(_ token: String, kind: Int32) {
    tokens.append(token.utf8)
    kinds.append(kind)
  }

  /// GPT-2's character of each byte, in UTF-8.
  static func spellings() -> [[UInt8]] {
    var next: UInt32 = 0x100
    return (UInt8.min...UInt8.max).map { byte in
      switch byte {
      case 33...126, 161...172, 174...255: return Array(String(Unicode.Scalar(byte)).utf8)
      default:
        defer { next += 1 }
        return Unicode.Scalar(next).map { Array(String($0).utf8) } ?? []
      }
    }
  }
}
