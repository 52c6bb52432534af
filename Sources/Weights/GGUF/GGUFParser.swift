import JSON

/// Reads the header of one GGUF file.
///
/// Everything is checked before it is used; nothing is allocated
/// by a count from the file.
struct GGUFParser {
  let file: MappedFile
  private(set) var metadata: GGUFMetadata
  private(set) var tensors: [GGUFTensor] = []

  private static let dimensionLimit: UInt32 = 4
  private static let defaultAlignment: UInt64 = 32

  /// Throws `WeightsError`.
  init(_ file: MappedFile) throws(WeightsError) {
    self.file = file
    metadata = GGUFMetadata(path: file.path)
    var cursor = ByteCursor(file.bytes, part: "the header")
    let version: UInt32
    do {
      version = try Self.readVersion(&cursor)
    } catch {
      throw .invalid(file: file.path, error)
    }
    guard version == 2 || version == 3 else {
      throw .unsupported(
        file: file.path,
        (2...3).contains(version.byteSwapped)
          ? .bigEndian(version: version.byteSwapped) : .ggufVersion(version))
    }
    let infos: [Info]
    do {
      let tensorCount = try cursor.read(UInt64.self)
      let keyCount = try cursor.read(UInt64.self)
      try readMetadata(&cursor, count: keyCount)
      infos = try Self.readInfos(&cursor, count: tensorCount)
    } catch {
      throw .invalid(file: file.path, error)
    }
    try place(infos, dataFrom: cursor.offset)
  }

  private static func readVersion(_ cursor: inout ByteCursor) throws(FileProblem) -> UInt32 {
    guard cursor.bytes.count > 0 else { throw .empty }
    let start = cursor.bytes[0..<min(4, cursor.bytes.count)]
    let magic = (0..<start.count).map { start[$0] }
    guard "GGUF".utf8.starts(with: magic) else {
      throw .wrongMagic(format: "GGUF", found: magic)
    }
    _ = try cursor.take(4)
    return try cursor.read()
  }

  private mutating func readMetadata(
    _ cursor: inout ByteCursor, count: UInt64
  ) throws(FileProblem) {
    // A key's length, at least one byte of it, a type, at least one byte of value.
    let count = try cursor.check(count, of: "metadata keys", minimumSize: 14)
    for index in 0..<count {
      cursor.part = "metadata key \(index + 1) of \(count)"
      let key = try cursor.readName(.key)
      cursor.part = "the value of metadata \"\(key.displayable(limit: 120))\""
      let type = try cursor.readValueType(key: key)
      let start = cursor.offset
      try cursor.skipValue(type, key: key)
      try metadata.append(key, type: type, bytes: cursor.bytes[start..<cursor.offset])
    }
  }

  private struct Info {
    let name: String
    /// As in the file: contiguous dimension first.
    let dimensions: [UInt64]
    let type: UInt32
    let offset: UInt64
  }

  private static func readInfos(
    _ cursor: inout ByteCursor, count: UInt64
  ) throws(FileProblem) -> [Info] {
    // A name's length and a byte of it, a dimension count, a dimension, a type, an offset.
    cursor.part = "the tensor list"
    let count = try cursor.check(count, of: "tensors", minimumSize: 33)
    var infos: [Info] = []
    var names: Set<String> = []
    for index in 0..<count {
      cursor.part = "the description of tensor \(index + 1) of \(count)"
      let name = try cursor.readName(.tensor)
      guard names.insert(name).inserted else { throw .duplicate(kind: .tensor, name: name) }
      let dimensionCount = try cursor.read(UInt32.self)
      guard (1...dimensionLimit).contains(dimensionCount) else {
        throw .tensor(name: name, .dimensions(count: dimensionCount, most: Int(dimensionLimit)))
      }
      var dimensions: [UInt64] = []
      for _ in 0..<dimensionCount { dimensions.append(try cursor.read()) }
      infos.append(
        Info(name: name, dimensions: dimensions, type: try cursor.read(), offset: try cursor.read())
      )
    }
    return infos
  }

  /// Checks where the tensors lie and turns their descriptions into tensors.
  private mutating func place(_ infos: [Info], dataFrom headerEnd: Int) throws(WeightsError) {
    guard !infos.isEmpty else { return }
    let data: FileBytes
    let alignment: UInt64
    do {
      alignment = try readAlignment()
      let padding = (alignment - UInt64(headerEnd) % alignment) % alignment
      var cursor = ByteCursor(file.bytes, at: headerEnd, part: "the padding before the tensor data")
      _ = try cursor.take(padding)
      data = file.bytes[cursor.offset..<file.count]
    } catch {
      throw .invalid(file: file.path, error)
    }

    let order = infos.indices.sorted { (infos[$0].offset, $0) < (infos[$1].offset, $1) }
    var extents = [UInt64](repeating: 0, count: infos.count)
    for (position, index) in order.enumerated() {
      let next = position + 1 < order.count ? infos[order[position + 1]].offset : UInt64(data.count)
      // Negative only if the offset is outside the file, which is refused below.
      extents[index] = next &- min(next, infos[index].offset)
    }
    var resolver = EncodingResolver(alignment: alignment)
    for index in infos.indices {
      try located { () throws(FileProblem) in
        try resolver.learn(
          id: infos[index].type, dimensions: infos[index].dimensions, extent: extents[index],
          name: infos[index].name)
      }
    }

    for index in infos.indices {
      tensors.append(
        try tensor(
          infos[index], data: data, alignment: alignment, extent: extents[index], resolver))
    }
    try located { () throws(FileProblem) in try checkOverlaps(order) }
  }

  private func tensor(
    _ info: Info, data: FileBytes, alignment: UInt64, extent: UInt64, _ resolver: EncodingResolver
  ) throws(WeightsError) -> GGUFTensor {
    let encoding = resolver.encoding(info.type, info.dimensions, extent: extent)
    return try located { () throws(FileProblem) in
      func fail(_ problem: TensorProblem) -> FileProblem { .tensor(name: info.name, problem) }
      let dimensions = try Self.checkedDimensions(info.dimensions, name: info.name)
      let byteCount = try Self.byteCount(info, dimensions, encoding, extent: extent)
      guard info.offset % alignment == 0 else {
        throw fail(.unaligned(offset: info.offset, alignment: alignment))
      }
      guard let offset = Int(exactly: info.offset), offset <= data.count,
        byteCount <= data.count - offset
      else {
        throw fail(
          .outsideFile(offset: info.offset, bytes: UInt64(byteCount), available: data.count))
      }
      return GGUFTensor(
        name: info.name, shape: dimensions.reversed(), encoding: encoding, typeID: info.type,
        bytes: data[offset..<offset + byteCount])
    }
  }

  /// Bytes of a tensor; of an unknown type, what lies before the next tensor.
  private static func byteCount(
    _ info: Info, _ dimensions: [Int], _ encoding: GGUFEncoding?, extent: UInt64
  ) throws(FileProblem) -> Int {
    let elements = dimensions.reduce(1, *)
    guard let encoding else {
      // No type has more than eight elements in a byte.
      guard UInt64(elements) / 8 <= extent else {
        throw .tensor(name: info.name, .size(expected: UInt64(elements) / 8, found: extent))
      }
      return Int(clamping: extent)
    }
    let columns = dimensions[0]
    guard columns % encoding.block == 0 else {
      throw .tensor(
        name: info.name,
        .partialBlock(columns: columns, block: encoding.block, type: encoding.name))
    }
    guard let byteCount = encoding.byteCount(elements: elements) else {
      throw .tensor(name: info.name, .tooManyElements(info.dimensions))
    }
    return byteCount
  }

  /// Dimensions that are positive and whose product is an Int.
  static func checkedDimensions(
    _ dimensions: [UInt64], name: String
  ) throws(FileProblem) -> [Int] {
    var result: [Int] = []
    var elements = 1
    for dimension in dimensions {
      guard dimension > 0 else { throw .tensor(name: name, .zeroDimension(dimensions)) }
      guard let size = Int(exactly: dimension) else {
        throw .tensor(name: name, .tooManyElements(dimensions))
      }
      let (product, overflow) = elements.multipliedReportingOverflow(by: size)
      guard !overflow else { throw .tensor(name: name, .tooManyElements(dimensions)) }
      elements = product
      result.append(size)
    }
    return result
  }

  private func readAlignment() throws(FileProblem) -> UInt64 {
    let key = "general.alignment"
    guard let value = metadata[key] else { return Self.defaultAlignment }
    let alignment: UInt64
    switch value {
    case .unsigned(let number): alignment = number
    case .signed(let number): alignment = UInt64(clamping: number)
    default: throw .metadata(key: key, .type(expected: "an integer", found: "something else"))
    }
    guard alignment > 0, alignment & (alignment - 1) == 0, alignment <= 1 << 30 else {
      throw .metadata(key: key, .outOfRange("\(alignment), no power of two"))
    }
    return alignment
  }

  private func checkOverlaps(_ order: [Int]) throws(FileProblem) {
    for (first, second) in zip(order, order.dropFirst()) {
      let end = tensors[first].bytes.offset + tensors[first].bytes.count
      let start = tensors[second].bytes.offset
      guard end <= start else {
        throw .tensor(
          name: tensors[second].name, .overlap(with: tensors[first].name, offset: start))
      }
    }
  }

  private func located<Value>(
    _ body: () throws(FileProblem) -> Value
  ) throws(WeightsError) -> Value {
    do {
      return try body()
    } catch {
      throw .invalid(file: file.path, error)
    }
  }
}
