import JSON

extension WeightsError: CustomStringConvertible {
  package var description: String {
    let file = file.displayable()
    return switch self {
    case .system(_, let operation, let code):
      "\(file) cannot be \(operation.rawValue): \(systemReason(code))."
    case .invalid(_, let problem):
      "\(file) \(problem)."
    case .unsupported(_, let feature):
      "\(file) \(feature)."
    }
  }
}

extension FileProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notRegularFile: "is not a regular file"
    case .empty: "is empty"
    case .wrongMagic(let format, let found):
      "is no \(format) file: it starts with \(hexadecimal(found))"
    case .truncated(let part, let offset, let needed, let available):
      "is cut short or damaged: \(part.displayable()) at byte \(offset) needs \(needed) bytes, "
        + "\(available) are left"
    case .count(let what, let claimed, let most):
      "is damaged: it claims \(claimed) \(what), and its size allows at most \(most)"
    case .changed(let before, let now):
      before == now
        ? "was changed while it was in use"
        : "was changed while it was in use: it had \(before) bytes and has \(now)"
    case .duplicate(let kind, let name):
      "is damaged: it has two of the \(kind.rawValue) \(quoted(name))"
    case .badName(let kind, let offset, let length):
      "is damaged: the \(kind.rawValue) name at byte \(offset), \(length) bytes long, is not "
        + "UTF-8 text of 1 to 65535 bytes"
    case .metadata(let key, let problem):
      "is unusable: metadata \(quoted(key)) \(problem)"
    case .tensor(let name, let problem):
      "is unusable: tensor \(quoted(name)) \(problem)"
    case .split(let problem): "\(problem)"
    case .json(let error): "is damaged: \(error)"
    case .header(let reason): "is damaged: its header \(reason)"
    case .directory(let reason): reason.displayable()
    }
  }
}

extension MetadataProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing: "is missing"
    case .unknownType(let id): "has the unknown type \(id)"
    case .nestedTooDeeply(let limit): "has arrays nested more than \(limit) deep"
    case .type(let expected, let found): "should be \(expected) and is \(found)"
    case .notUTF8(nil): "is not UTF-8 text"
    case .notUTF8(let index?): "has text at index \(index) that is not UTF-8"
    case .outOfRange(let value): "is out of range: \(value.displayable())"
    case .length(let expected, let found): "should have \(expected) elements and has \(found)"
    }
  }
}

extension TensorProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing: "is missing"
    case .headerEntry: "has no proper dtype, shape and data_offsets in the header"
    case .dimensions(let count, let most): "has \(count) dimensions, and 1 to \(most) are allowed"
    case .zeroDimension(let shape): "has no elements: its dimensions are \(shape)"
    case .tooManyElements(let shape): "is too big to address: its dimensions are \(shape)"
    case .partialBlock(let columns, let block, let type):
      "has rows of \(columns), no multiple of the \(block) that \(type) needs"
    case .unaligned(let offset, let alignment):
      "starts at offset \(offset), no multiple of the file's alignment \(alignment)"
    case .outsideFile(let offset, let bytes, let available):
      "needs \(bytes) bytes at offset \(offset), and the file has \(available) bytes of data"
    case .overlap(let other, let offset):
      "overlaps tensor \(quoted(other)) at offset \(offset)"
    case .size(let expected, let found):
      "needs \(expected) bytes by its shape and type, and has \(found)"
    case .nonFinite(let index): "has a value at index \(index) that is infinite or not a number"
    case .shape(let expected, let found): "should be \(expected), and its shape is \(found)"
    case .quantisedShape(let weight, let scales, let columns):
      "fits no width and group: packed codes \(weight), scales \(scales)"
        + (columns.map { ", \($0) inputs" } ?? "")
    case .scales(let reason): "is quantised, but \(reason.displayable())"
    }
  }
}

extension SplitProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notFirst(let number, let count, let first):
      "is part \(number) of \(count): name the first part, \(first.displayable())"
    case .name(let count):
      "is the first of \(count) parts, but its name does not end in "
        + "-00001-of-\(paddedNumber(count)).gguf"
    case .partMissing(let part): "is incomplete: the part \(part.displayable()) is missing"
    case .partMismatch(let part, let number, let count):
      "does not fit its part \(part.displayable()), which says it is number \(number) of \(count)"
    case .tensorCount(let expected, let found):
      "is incomplete: its parts should hold \(expected) tensors and hold \(found)"
    }
  }
}

extension UnsupportedFeature: CustomStringConvertible {
  package var description: String {
    switch self {
    case .ggufVersion(let version):
      "is a GGUF file of version \(version), and Pipit reads versions 2 and 3"
    case .bigEndian(let version):
      "is a big-endian GGUF file (version \(version)), and Pipit reads little-endian ones"
    case .tensorType(let tensor, _, let name?):
      "holds tensor \(quoted(tensor)) as \(name), a type that Pipit cannot compute with"
    case .tensorType(let tensor, let id, nil):
      "holds tensor \(quoted(tensor)) in the unknown type \(id): it may need a newer Pipit"
    case .dtype(let tensor, let name):
      "holds tensor \(quoted(tensor)) as \(quoted(name)), a type that Pipit cannot compute with"
    case .quantisation(let name):
      "is quantised as \(quoted(name)), and Pipit reads MLX's affine quantisation and plain weights"
    }
  }
}

/// A name from a file, safe and short enough to show.
private func quoted(_ name: String) -> String {
  "\"\(name.displayable(limit: 120))\""
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}

func paddedNumber(_ number: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
}
