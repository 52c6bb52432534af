package import JSON

/// What is wrong with a file.
package enum FileProblem: Error, Hashable, Sendable {
  case notRegularFile
  case empty
  /// The first bytes are not those of the format.
  case wrongMagic(format: String, found: [UInt8])
  /// The file ends, or a length is too big, inside `part`.
  case truncated(part: String, offset: Int, needed: UInt64, available: Int)
  /// A count that the rest of the file cannot hold.
  case count(of: String, claimed: UInt64, most: Int)
  case changed(sizeBefore: Int, sizeNow: Int)
  case duplicate(kind: NameKind, name: String)
  /// A name that is not UTF-8, is empty or is too long.
  case badName(kind: NameKind, offset: Int, length: UInt64)
  case metadata(key: String, MetadataProblem)
  case tensor(name: String, TensorProblem)
  case split(SplitProblem)
  case json(JSONError)
  /// A safetensors header that is no object of tensors.
  case header(String)
  /// A directory that is no checkpoint.
  case directory(String)
}

/// What a name in a file belongs to.
package enum NameKind: String, Hashable, Sendable {
  case key = "metadata key"
  case tensor = "tensor"
}

/// What is wrong with a metadata value.
package enum MetadataProblem: Hashable, Sendable {
  case missing
  case unknownType(UInt32)
  case nestedTooDeeply(limit: Int)
  case type(expected: String, found: String)
  case notUTF8(index: Int?)
  case outOfRange(String)
  case length(expected: Int, found: Int)
}

/// What is wrong with a tensor.
package enum TensorProblem: Hashable, Sendable {
  case missing
  /// A header entry without a proper dtype, shape and pair of offsets.
  case headerEntry
  case dimensions(count: UInt32, most: Int)
  case zeroDimension([UInt64])
  case tooManyElements([UInt64])
  /// Rows that are no whole number of blocks.
  case partialBlock(columns: Int, block: Int, type: String)
  case unaligned(offset: UInt64, alignment: UInt64)
  case outsideFile(offset: UInt64, bytes: UInt64, available: Int)
  case overlap(with: String, offset: Int)
  /// The bytes set aside are not what shape and type need.
  case size(expected: UInt64, found: UInt64)
  case nonFinite(index: Int)
  case shape(expected: String, found: [Int])
  /// Scales and packed codes fit no width and group.
  case quantisedShape(weight: [Int], scales: [Int], columns: Int?)
  case scales(String)
}

/// What is wrong with a set of split files.
package enum SplitProblem: Hashable, Sendable {
  case notFirst(number: Int, count: Int, first: String)
  case name(count: Int)
  case partMissing(String)
  case partMismatch(part: String, number: Int, count: Int)
  case tensorCount(expected: Int, found: Int)
}
