/// The members of a JSON object in their order; a key is found in O(1).
///
/// Keys are told apart by their bytes. Swift's own `String` equality would make one key of "é"
/// composed and "é" decomposed, which are two tokens of a vocabulary.
package struct JSONObject: Sendable {
  private final class Storage: Sendable {
    let keys: [String]
    let values: [JSONValue]
    /// Positions in an open-addressing table of a power of two, −1 where free; empty while the
    /// object is small enough to search.
    let table: [Int32]

    init(keys: [String], values: [JSONValue], table: [Int32]) {
      self.keys = keys
      self.values = values
      self.table = table
    }
  }

  private let storage: Storage
  private static let searchLimit = 8

  /// Members in order, or the position at which a key occurs for the second time.
  static func make(
    keys: [String], values: [JSONValue]
  ) -> Result<JSONObject, DuplicateKey> {
    var table: [Int32] = []
    if keys.count <= searchLimit {
      for position in keys.indices.dropFirst() {
        for earlier in 0..<position where sameBytes(keys[earlier], keys[position]) {
          return .failure(DuplicateKey(position: position))
        }
      }
    } else {
      var size = 16
      while size < 2 * keys.count { size *= 2 }
      table = Array(repeating: -1, count: size)
      for (position, key) in keys.enumerated() {
        var slot = hash(key) & (size - 1)
        while table[slot] >= 0 {
          if sameBytes(keys[Int(table[slot])], key) {
            return .failure(DuplicateKey(position: position))
          }
          slot = (slot + 1) & (size - 1)
        }
        table[slot] = Int32(position)
      }
    }
    return .success(
      JSONObject(storage: Storage(keys: keys, values: values, table: table)))
  }

  struct DuplicateKey: Error {
    let position: Int
  }

  private init(storage: Storage) {
    self.storage = storage
  }

  /// Members in their order; of equal keys the last counts, at the place of the first.
  package init(_ members: some Sequence<(String, JSONValue)>) {
    var keys: [String] = []
    var values: [JSONValue] = []
    var positions: [ByteKey: Int] = [:]
    for (key, value) in members {
      if let position = positions[ByteKey(text: key)] {
        values[position] = value
      } else {
        positions[ByteKey(text: key)] = keys.count
        keys.append(key)
        values.append(value)
      }
    }
    guard case .success(let object) = Self.make(keys: keys, values: values) else {
      preconditionFailure("keys that differ are no duplicates")
    }
    self = object
  }

  private struct ByteKey: Hashable {
    let text: String

    static func == (left: Self, right: Self) -> Bool { sameBytes(left.text, right.text) }

    func hash(into hasher: inout Hasher) { hasher.combine(JSONObject.hash(text)) }
  }

  package init() { self.init([]) }

  /// Keys in order.
  package var keys: [String] { storage.keys }

  /// Values in the order of the keys.
  package var values: [JSONValue] { storage.values }

  /// Members.
  package var count: Int { storage.keys.count }

  /// The value of a key, or nil; setting it takes time in proportion to the members.
  package subscript(key: String) -> JSONValue? {
    get { position(of: key).map { storage.values[$0] } }
    set {
      var members = Array(self)
      let position = position(of: key)
      switch (position, newValue) {
      case (let position?, let value?): members[position].1 = value
      case (let position?, nil): members.remove(at: position)
      case (nil, let value?): members.append((key, value))
      case (nil, nil): return
      }
      self = JSONObject(members)
    }
  }

  private func position(of key: String) -> Int? {
    let table = storage.table
    guard !table.isEmpty else {
      return storage.keys.firstIndex { sameBytes($0, key) }
    }
    var slot = hash(key) & (table.count - 1)
    while table[slot] >= 0 {
      let position = Int(table[slot])
      if sameBytes(storage.keys[position], key) { return position }
      slot = (slot + 1) & (table.count - 1)
    }
    return nil
  }
}

extension JSONObject: Sequence {
  package func makeIterator() -> Zip2Sequence<[String], [JSONValue]>.Iterator {
    zip(storage.keys, storage.values).makeIterator()
  }
}

extension JSONObject: Hashable {
  /// Same members in the same order.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count
      && zip(left.keys, right.keys).allSatisfy { sameBytes($0, $1) }
      && left.values == right.values
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for key in keys { hasher.combine(JSONObject.hash(key)) }
  }
}

extension JSONObject {
  private static func sameBytes(_ left: String, _ right: String) -> Bool {
    let left = left.utf8
    let right = right.utf8
    return left.count == right.count && left.elementsEqual(right)
  }

  /// A hash with the process's seed, so that no file can be made of keys that collide.
  private static func hash(_ key: String) -> Int {
    var hasher = Hasher()
    var word: UInt64 = 0
    var length = 0
    for byte in key.utf8 {
      word = word << 8 | UInt64(byte)
      length += 1
      if length & 7 == 0 { hasher.combine(word) }
    }
    hasher.combine(word)
    hasher.combine(length)
    return hasher.finalize()
  }

  private func sameBytes(_ left: String, _ right: String) -> Bool {
    Self.sameBytes(left, right)
  }

  private func hash(_ key: String) -> Int { Self.hash(key) }
}
