import KernelTypes

/// What becomes of a product.
package enum MultiplyMode: Sendable {
  /// out = W·x.
  case store
  /// out = out + W·x.
  case add
}

extension Compute {
  /// A matrix, and where its product with the activations goes: tokens × rows of the matrix.
  package typealias Product = (PreparedMatrix, FloatRows)

  /// Multiplies every matrix by the same activations, in one parallel region.
  ///
  /// `by` holds what `quantise` recorded for (at least) these matrices with this backend. Allocates
  /// nothing once scratch has grown to the largest product; an array of products does, so what runs
  /// for each token has them in an `InlineArray`.
  package func multiply(
    _ products: Span<Product>, by activations: Activations, mode: MultiplyMode = .store,
    backend: MatmulBackend
  ) {
    multiply(
      count: products.count, scratch: activations, adds: mode == .add, backend: backend
    ) { (products[$0].0, activations, products[$0].1) }
  }

  /// A matrix, what it is multiplied by, and where the product goes: tokens × rows of the matrix.
  package typealias OwnProduct = (PreparedMatrix, Activations, FloatRows)

  /// Multiplies matrices by activations of their own, in one parallel region.
  package func multiply(
    _ products: Span<OwnProduct>, mode: MultiplyMode = .store, backend: MatmulBackend
  ) {
    guard !products.isEmpty else { return }
    multiply(
      count: products.count, scratch: products[0].1, adds: mode == .add, backend: backend
    ) { products[$0] }
  }

  /// `scratch` is the activations whose scratch is used.
  private func multiply(
    count: Int, scratch activations: Activations, adds: Bool, backend: MatmulBackend,
    _ product: (Int) -> OwnProduct
  ) {
    unsafe withUnsafeTemporaryAllocation(of: ProductJob.self, capacity: count) { jobs in
      unsafe withUnsafeTemporaryAllocation(of: GroupedProduct.self, capacity: count) { grouped in
        guard let jobs = jobs.baseAddress, let grouped = grouped.baseAddress else {
          return
        }
        var items = 0
        var scratchBytes = 0
        var tableBytes = 0
        for index in 0..<count {
          let (matrix, activations, output) = product(index)
          guard let input = activations.input else {
            preconditionFailure("products before any activations were recorded")
          }
          precondition(
            matrix.columns == input.columns && output.rows == input.rows
              && output.columns == matrix.rows,
            "“\(matrix.name)” (\(matrix.rows) × \(matrix.columns)) times \(input.rows) × "
              + "\(input.columns) into \(output.rows) × \(output.columns)")
          let job = unsafe ProductJob(
            matrix, activations, input, output, adds: adds, backend: backend, firstItem: items,
            compute: self, grouped: grouped + index)
          items += job.items
          scratchBytes = max(scratchBytes, job.scratchBytes)
          tableBytes = max(tableBytes, job.tableBytes)
          unsafe (jobs + index).initialize(to: job)
        }
        activations.reserveScratch(byteCount: scratchBytes, workers: pool.threads)
        activations.reserveTables(byteCount: tableBytes, workers: pool.threads)
        unsafe activations.withScratch { scratch, tables in
          unsafe pool.run(
            items,
            Products(kernels: kernels.matmul, jobs: jobs, scratch: scratch, tables: tables))
        }
        unsafe jobs.deinitialize(count: count)
      }
    }
  }
}

/// One product of a region, dealt in runs of tiles.
@safe struct ProductJob {
  @safe enum Kind {
    /// Where the product lies: its copies would be felt in a token's short items.
    case grouped(UnsafePointer<GroupedProduct>)
    case dense(DenseProduct)
    case blas(BLASProduct)
  }

  var kind: Kind
  let firstItem: Int
  let items: Int
  let tiles: Int
  let tilesPerItem: Int
  let scratchBytes: Int
  /// Bytes of the tables in which each worker looks up sums of the input, or 0.
  let tableBytes: Int
  /// Whether consecutive items may be computed as one: they need no scratch.
  let joinsItems: Bool

  /// Scratch of a worker stays in its second-level cache.
  private static let panelBytes = 512 << 10
  /// Rows from which on it pays for every worker to make tables of its own.
  private static let rowsWorthTables = 512
  /// Bytes of tiles in one item of a product with one token, at least.
  private static let itemBytes = 16 << 10

  init(
    _ matrix: PreparedMatrix, _ activations: Activations, _ input: FloatRows,
    _ output: FloatRows, adds: Bool, backend: MatmulBackend, firstItem: Int, compute: Compute,
    grouped: UnsafeMutablePointer<GroupedProduct>
  ) {
    let layout = matrix.layout
    // No item is more than about a quarter of a thread's share of a product.
    let share = max(1, layout.tiles / (compute.pool.threads * 4))
    self.firstItem = firstItem
    tiles = layout.tiles
    guard backend == .simd else {
      let product = BLASProduct(matrix, input, output, adds: adds)
      tilesPerItem = min(share, BLASProduct.tilesPerPanel(columns: matrix.columns))
      kind = .blas(product)
      joinsItems = false
      tableBytes = 0
      scratchBytes = product.scratchBytes(tiles: tilesPerItem)
      items = (tiles + tilesPerItem - 1) / tilesPerItem
      return
    }
    if case .dense = matrix.format {
      unsafe kind = .dense(
        DenseProduct(
          storage: matrix.scaleStorage, tiles: matrix.tiles, tileStride: layout.stride,
          rows: matrix.rows, columns: matrix.columns, input: input.pointer(row: 0),
          inputStride: input.stride, tokens: input.rows, output: output.pointer(row: 0),
          outputStride: output.stride, adds: adds))
      tilesPerItem = min(share, max(4, Self.itemBytes / layout.stride))
      joinsItems = true
      scratchBytes = 0
      tableBytes = 0
    } else {
      var product = Self.grouped(matrix, activations, input, output, adds: adds)
      if let bitSumsByteCount = compute.kernels.matmul.bitSumsByteCount, input.rows == 1,
        matrix.rows >= Self.rowsWorthTables,
        matrix.format.bits == 1, matrix.activationGroup == 32
      {
        product.stamp = activations.stamp
        tableBytes = bitSumsByteCount(matrix.columns)
      } else {
        tableBytes = 0
      }
      unsafe grouped.initialize(to: product)
      unsafe kind = .grouped(UnsafePointer(grouped))
      let panel = TileGeometry.panelByteCount(
        columns: matrix.columns, group: matrix.format.group ?? 32)
      joinsItems = input.rows == 1
      if joinsItems {
        let tiles = max(1, min(share, Self.itemBytes / layout.stride))
        // Eight tiles share what is looked up, which is more than their own bytes.
        tilesPerItem = tableBytes == 0 ? tiles : share >= 8 ? 8 : 2
      } else {
        // Kernels take tiles in pairs, and items long enough to need no more than two.
        tilesPerItem = max(2, min(share / 2, Self.panelBytes / panel) & ~1)
      }
      scratchBytes = panel * tilesPerItem
    }
    items = (tiles + tilesPerItem - 1) / tilesPerItem
  }

  private static func grouped(
    _ matrix: PreparedMatrix, _ activations: Activations, _ input: FloatRows,
    _ output: FloatRows, adds: Bool
  ) -> GroupedProduct {
    let set = activations.set(group: matrix.activationGroup ?? 32)
    precondition(set.isCurrent, "no activations were quantised for “\(matrix.name)”")
    let quantised = set.quantisedInput(tokens: input.rows, columns: input.columns)
    var zeroTerms = unsafe UnsafePointer(quantised.sums)
    var groupSums = unsafe UnsafePointer(quantised.scales)
    if let zero = matrix.format.zero {
      guard let terms = set.zeroTerms(zero) else {
        preconditionFailure("no activations were quantised for “\(matrix.name)”")
      }
      unsafe zeroTerms = UnsafePointer(terms.base)
    } else {
      guard let sums = set.groupSums(matrix.format.group ?? 32) else {
        preconditionFailure("no activations were quantised for “\(matrix.name)”")
      }
      unsafe groupSums = UnsafePointer(sums.base)
    }
    return unsafe GroupedProduct(
      matrix: matrix.groupedTiles, input: quantised, zeroTerms: zeroTerms, groupSums: groupSums,
      tokens: input.rows, output: output.pointer(row: 0), outputStride: output.stride, adds: adds)
  }
}

/// All products of a region.
///
/// It and what it reaches are pointers: threads that count references to one object take its cache line
/// from each other, which at an item each 64 kB was a twentieth of a token's time.
@safe private struct Products: ParallelWork {
  let kernels: MatmulKernels
  let jobs: UnsafeMutablePointer<ProductJob>
  /// Of each worker.
  let scratch, tables: UnsafeBufferPointer<UnsafeMutableRawPointer>

  func perform(_ items: Range<Int>, worker: Int) {
    var index = 0
    var item = items.lowerBound
    while item < items.upperBound {
      while unsafe item >= jobs[index].firstItem + jobs[index].items {
        index += 1
      }
      let job = unsafe jobs + index
      let end =
        unsafe job.pointee.joinsItems
        ? min(items.upperBound, job.pointee.firstItem + job.pointee.items) : item + 1
      let first = unsafe (item - job.pointee.firstItem) * job.pointee.tilesPerItem
      let count = unsafe min((end - item) * job.pointee.tilesPerItem, job.pointee.tiles - first)
      switch unsafe job.pointee.kind {
      case .grouped(let product):
        unsafe kernels.grouped(
          product, first, count, job.pointee.tableBytes > 0 ? tables[worker] : scratch[worker])
      case .dense(let product):
        unsafe withUnsafePointer(to: product) { unsafe kernels.dense($0, first, count) }
      case .blas(let product):
        unsafe product.multiply(tiles: first..<first + count, scratch: scratch[worker])
      }
      item = end
    }
  }
}
