/// XXH64 with seed 0, for finding damage in files of our own: it is no protection from malice.
package struct Checksum: Sendable {
  private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
    0x27D4_EB2F_1656_67C5
  )

  private var lanes: (UInt64, UInt64, UInt64, UInt64)
  private var count: UInt64 = 0
  /// Bytes that do not make up a stripe of 32 yet.
  private var rest: [UInt8] = []

  package init() {
    let primes = Self.primes
    lanes = (primes.0 &+ primes.1, primes.1, 0, 0 &- primes.0)
    rest.reserveCapacity(32)
  }

  /// Takes in more bytes; how they are cut does not matter.
  package mutating func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBytes { unsafe update($0) }
  }

  private mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var start = 0
    if !rest.isEmpty {
      while rest.count < 32, start < bytes.count {
        unsafe rest.append(bytes[start])
        start += 1
      }
      guard rest.count == 32 else { return }
      unsafe rest.withUnsafeBytes { unsafe takeStripes($0) }
      rest.removeAll(keepingCapacity: true)
    }
    let whole = start + (bytes.count - start) / 32 * 32
    unsafe takeStripes(UnsafeRawBufferPointer(rebasing: bytes[start..<whole]))
    unsafe rest.append(contentsOf: bytes[whole...])
  }

  private mutating func takeStripes(_ bytes: UnsafeRawBufferPointer) {
    var (first, second, third, fourth) = lanes
    for start in stride(from: 0, to: bytes.count, by: 32) {
      unsafe first = Self.round(first, Self.word(bytes, start))
      unsafe second = Self.round(second, Self.word(bytes, start + 8))
      unsafe third = Self.round(third, Self.word(bytes, start + 16))
      unsafe fourth = Self.round(fourth, Self.word(bytes, start + 24))
    }
    lanes = (first, second, third, fourth)
  }

  /// The sum of all bytes so far.
  package var value: UInt64 {
    let primes = Self.primes
    var hash: UInt64
    if count >= 32 {
      hash =
        Self.rotate(lanes.0, 1) &+ Self.rotate(lanes.1, 7) &+ Self.rotate(lanes.2, 12)
        &+ Self.rotate(lanes.3, 18)
      for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
        hash = (hash ^ Self.round(0, lane)) &* primes.0 &+ primes.3
      }
    } else {
      hash = primes.4
    }
    hash &+= count
    return unsafe rest.withUnsafeBytes { bytes in
      var start = 0
      while start + 8 <= bytes.count {
        hash ^= Self.round(0, unsafe Self.word(bytes, start))
        hash = Self.rotate(hash, 27) &* primes.0 &+ primes.3
        start += 8
      }
      if start + 4 <= bytes.count {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)
        hash ^= UInt64(UInt32(littleEndian: word)) &* primes.0
        hash = Self.rotate(hash, 23) &* primes.1 &+ primes.2
        start += 4
      }
      while start < bytes.count {
        hash ^= UInt64(unsafe bytes[start]) &* primes.4
        hash = Self.rotate(hash, 11) &* primes.0
        start += 1
      }
      hash = (hash ^ hash >> 33) &* primes.1
      hash = (hash ^ hash >> 29) &* primes.2
      return hash ^ hash >> 32
    }
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotate(lane &+ word &* primes.1, 31) &* primes.0
  }
}
