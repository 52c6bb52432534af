package import JSON

/// A tensor of a safetensors file.
package struct SafetensorsTensor: Sendable {
  package let name: String
  /// Nil if the type is unknown.
  package let type: SafetensorsType?
  /// What the file calls the type.
  package let typeName: String
  /// Sizes, outermost first; none for a scalar.
  package let shape: [Int]
  package let bytes: FileBytes

  /// The contiguous dimension.
  package var columns: Int { shape.last ?? 1 }
  /// Rows of `columns` elements.
  package var rows: Int { shape.dropLast().reduce(1, *) }
}

/// One safetensors file: a JSON header, then tensors at any alignment and in any order.
package struct SafetensorsFile: Sendable {
  package let file: MappedFile
  /// Tensors in the order of the header.
  package let tensors: [SafetensorsTensor]
  /// The `__metadata__` object.
  package let metadata: JSONObject?

  /// The longest header that is read.
  ///
  /// Those of real models take a few hundred kilobytes.
  static let headerLimit = 16 << 20

  /// Reads and checks the header.
  package init(_ file: MappedFile) throws(WeightsError) {
    self.file = file
    do throws(FileProblem) {
      let (header, data) = try Self.readHeader(file)
      metadata = try header["__metadata__"].map { value throws(FileProblem) in
        guard let object = value.objectValue else {
          throw .header("has a __metadata__ that is no object")
        }
        return object
      }
      var tensors: [SafetensorsTensor] = []
      for (name, value) in header where name != "__metadata__" {
        tensors.append(try Self.tensor(name, value, data))
      }
      try Self.checkOverlaps(tensors)
      self.tensors = tensors
    } catch {
      throw .invalid(file: file.path, error)
    }
  }

  private static func readHeader(
    _ file: MappedFile
  ) throws(FileProblem) -> (JSONObject, FileBytes) {
    guard file.count > 0 else { throw .empty }
    var cursor = ByteCursor(file.bytes, part: "the header's length")
    let length = try cursor.read(UInt64.self)
    guard length <= UInt64(headerLimit) else {
      throw .count(of: "bytes of header", claimed: length, most: min(headerLimit, file.count))
    }
    cursor.part = "the header"
    let range = try cursor.take(length)
    let value: JSONValue
    do {
      value = try JSONReader.read(file.bytes[range])
    } catch {
      if error.offset == 0, case .duplicateKey(let name) = error.reason {
        throw .duplicate(kind: .tensor, name: name)
      }
      throw .json(JSONError(offset: error.offset + range.lowerBound, reason: error.reason))
    }
    guard let object = value.objectValue else { throw .header("is no object") }
    return (object, file.bytes[range.upperBound..<file.count])
  }

  private static func tensor(
    _ name: String, _ value: JSONValue, _ data: FileBytes
  ) throws(FileProblem) -> SafetensorsTensor {
    func fail(_ problem: TensorProblem) -> FileProblem { .tensor(name: name, problem) }
    guard (1...65535).contains(name.utf8.count) else {
      throw .badName(kind: .tensor, offset: 8, length: UInt64(name.utf8.count))
    }
    guard let typeName = value["dtype"]?.stringValue, let sizes = value["shape"]?.arrayValue,
      let offsets = value["data_offsets"]?.arrayValue, offsets.count == 2
    else { throw fail(.headerEntry) }
    let shape = try sizes.map { size throws(FileProblem) in
      guard case .integer(let size) = size, size >= 0 else { throw fail(.headerEntry) }
      return size
    }
    guard !shape.contains(0) else { throw fail(.zeroDimension(shape.map(UInt64.init))) }
    guard case .integer(let begin) = offsets[0], case .integer(let end) = offsets[1], begin >= 0,
      end >= begin
    else { throw fail(.headerEntry) }

    let type = SafetensorsType(rawValue: typeName)
    var byteCount = type?.byteCount ?? 1
    for size in shape {
      let (product, overflow) = byteCount.multipliedReportingOverflow(by: size)
      guard !overflow else { throw fail(.tooManyElements(shape.map(UInt64.init))) }
      byteCount = product
    }
    // No type has more than eight elements in a byte.
    if type == nil { byteCount = (byteCount / 8) + (byteCount % 8 > 0 ? 1 : 0) }
    guard type == nil ? byteCount <= end - begin : byteCount == end - begin else {
      throw fail(.size(expected: UInt64(byteCount), found: UInt64(end - begin)))
    }
    guard end <= data.count else {
      throw fail(
        .outsideFile(offset: UInt64(begin), bytes: UInt64(end - begin), available: data.count))
    }
    return SafetensorsTensor(
      name: name, type: type, typeName: typeName, shape: shape, bytes: data[begin..<end])
  }

  private static func checkOverlaps(_ tensors: [SafetensorsTensor]) throws(FileProblem) {
    let order = tensors.indices.sorted {
      (tensors[$0].bytes.offset, $0) < (tensors[$1].bytes.offset, $1)
    }
    for (first, second) in zip(order, order.dropFirst()) {
      let start = tensors[second].bytes.offset
      guard tensors[first].bytes.offset + tensors[first].bytes.count <= start else {
        throw .tensor(
          name: tensors[second].name, .overlap(with: tensors[first].name, offset: start))
      }
    }
  }
}
