import KernelTypes

/// The activations that a set of products shares: quantised once for each distinct group (N1), and
/// the float rows themselves for dense matrices and BLAS.
///
/// One caller at a time fills it (`Compute.quantise`) and multiplies by it; the float rows must not
/// change in between. Nothing is allocated once each kind of matrix has been seen.
@safe package final class Activations: @unchecked Sendable {
  package let capacity: Int
  package let columns: Int

  var input: FloatRows?
  var sets: [QuantisedSet] = []
  /// A number for what was quantised last, which no other quantisation of the process has.
  var stamp: UInt64 = 0
  private var scratch = WorkerMemory()
  /// Sums of the input that a worker looks up; apart from the scratch, because they are believed by the
  /// stamp that they begin with.
  private var tables = WorkerMemory()

  /// Scratch for up to `capacity` tokens of up to `columns` inputs.
  package init(capacity: Int, columns: Int) {
    precondition(capacity > 0 && columns > 0)
    self.capacity = capacity
    self.columns = columns
  }

  /// The quantisation in groups of `group`, made when first asked for.
  func set(group: Int) -> QuantisedSet {
    for set in sets where set.group == group {
      return set
    }
    let lanes = TileGeometry.tokenLanes
    let tokens = capacity == 1 ? 1 : (capacity + lanes - 1) / lanes * lanes
    let set = QuantisedSet(group: group, tokens: tokens, columns: columns)
    sets.append(set)
    return set
  }

  func reserveScratch(byteCount: Int, workers: Int) {
    scratch.reserve(byteCount: byteCount, workers: workers)
  }

  func reserveTables(byteCount: Int, workers: Int) {
    tables.reserve(byteCount: byteCount, workers: workers)
  }

  /// Calls `body` with the scratch and the tables of each worker.
  func withScratch(
    _ body: (
      _ scratch: UnsafeBufferPointer<UnsafeMutableRawPointer>,
      _ tables: UnsafeBufferPointer<UnsafeMutableRawPointer>
    ) -> Void
  ) {
    unsafe scratch.withBases { scratch in
      unsafe tables.withBases { tables in unsafe body(scratch, tables) }
    }
  }
}

/// Activations quantised in groups of one size.
final class QuantisedSet {
  let group: Int
  let codes: Slab<Int8>
  let scales: Slab<Float>
  let sums: Slab<Int32>
  /// −z·Σq for each zero point.
  var zeroTerms: [ZeroTerms] = []
  /// Σ s_x·Σq for each size of weight groups.
  var groupSums: [GroupSums] = []
  /// Whether the current input has been quantised in this group.
  var isCurrent = false
  private let tokens: Int
  private let columns: Int

  struct ZeroTerms {
    let zero: Int
    let values: Slab<Int32>
    var isCurrent: Bool
  }

  struct GroupSums {
    let group: Int
    let values: Slab<Float>
    var isCurrent: Bool
  }

  init(group: Int, tokens: Int, columns: Int) {
    self.group = group
    self.tokens = tokens
    self.columns = (columns + 31) / 32 * 32
    codes = Slab(count: tokens * self.columns)
    scales = Slab(count: tokens * (self.columns / group))
    sums = Slab(count: tokens * (self.columns / group))
  }

  func forget() {
    isCurrent = false
    for index in zeroTerms.indices {
      zeroTerms[index].isCurrent = false
    }
    for index in groupSums.indices {
      groupSums[index].isCurrent = false
    }
  }

  /// Marks what a matrix of this format needs as wanted.
  func want(_ format: MatrixFormat) {
    isCurrent = true
    if let zero = format.zero {
      if let index = zeroTerms.firstIndex(where: { $0.zero == zero }) {
        zeroTerms[index].isCurrent = true
      } else {
        zeroTerms.append(
          ZeroTerms(zero: zero, values: Slab(count: sums.count), isCurrent: true))
      }
    } else if let group = format.group {
      if let index = groupSums.firstIndex(where: { $0.group == group }) {
        groupSums[index].isCurrent = true
      } else {
        groupSums.append(
          GroupSums(
            group: group, values: Slab(count: tokens * max(columns / group, 1)), isCurrent: true))
      }
    }
  }

  func zeroTerms(_ zero: Int) -> Slab<Int32>? {
    for terms in zeroTerms where terms.zero == zero && terms.isCurrent {
      return terms.values
    }
    return nil
  }

  func groupSums(_ group: Int) -> Slab<Float>? {
    for sums in groupSums where sums.group == group && sums.isCurrent {
      return sums.values
    }
    return nil
  }

  func quantisedInput(tokens: Int, columns: Int) -> QuantisedInput {
    unsafe QuantisedInput(
      lanes: tokens == 1 ? 1 : TileGeometry.tokenLanes, columns: columns, group: group,
      codes: codes.base, scales: scales.base, sums: sums.base)
  }
}
