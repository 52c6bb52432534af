/// A fixed block of trivial elements, zeroed at first and aligned to 64 bytes.
///
/// Whoever shares a slab between threads gives each its own part of it: the pool's regions end
/// with a barrier, and nothing else runs at the same time.
@safe package final class Slab<Element: BitwiseCopyable>: @unchecked Sendable {
  package let count: Int
  /// The first element; valid as long as the slab.
  package let base: UnsafeMutablePointer<Element>

  package init(count: Int) {
    precondition(count >= 0, "a slab cannot hold \(count) elements")
    let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    precondition(!overflow && bytes <= Int.max - 64, "a slab of \(count) elements is too big")
    let raw = UnsafeMutableRawPointer.allocate(
      byteCount: (bytes + 63) / 64 * 64, alignment: 64)
    unsafe raw.initializeMemory(as: UInt8.self, repeating: 0, count: (bytes + 63) / 64 * 64)
    unsafe base = raw.bindMemory(to: Element.self, capacity: count)
    self.count = count
  }

  package convenience init(_ elements: [Element]) {
    self.init(count: elements.count)
    unsafe elements.withUnsafeBufferPointer { source in
      if let first = source.baseAddress {
        unsafe base.update(from: first, count: source.count)
      }
    }
  }

  deinit {
    unsafe UnsafeMutableRawPointer(base).deallocate()
  }

  /// Bytes that the elements take.
  package var byteCount: Int { count * MemoryLayout<Element>.stride }

  package subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < count, "element \(index) of \(count)")
      return unsafe base[index]
    }
    set {
      precondition(index >= 0 && index < count, "element \(index) of \(count)")
      unsafe base[index] = newValue
    }
  }

  /// A copy of the elements in a range.
  package func elements(_ range: Range<Int>) -> [Element] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "\(range) of \(count)")
    return unsafe Array(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
  }
}
