import Kernels
import Transformers
import Weights

/// A tensor of the converted model and what becomes of it.
struct OutputTensor: Sendable {
  let source: ExchangeTensor
  /// The type of its numbers, or of its scales and biases.
  let type: ScaleType
  let form: WeightForm

  /// Rows and columns as they are quantised.
  var columns: Int { source.shape.last ?? 1 }
  var rows: Int { source.shape.dropLast().reduce(1, *) }

  /// What of it stands in a file: itself, or codes, scales and biases.
  var entries: [SafetensorsEntry] {
    guard let (bits, group) = form.packing else {
      return [SafetensorsEntry(name: source.name, type: type.fileType, shape: source.shape)]
    }
    let outer = source.shape.dropLast()
    let scales = outer + [columns / group]
    return [
      SafetensorsEntry(
        name: source.name, type: .uint32, shape: outer + [columns / 32 * bits]),
      SafetensorsEntry(name: scalesName, type: type.fileType, shape: Array(scales)),
      SafetensorsEntry(name: biasesName, type: type.fileType, shape: Array(scales)),
    ]
  }

  var scalesName: String { source.module + ".scales" }
  var biasesName: String { source.module + ".biases" }

  /// Bytes in the file.
  var byteCount: Int { entries.reduce(0) { $0 + $1.byteCount } }
}

extension ScaleType {
  var fileType: SafetensorsType {
    switch self {
    case .float16: .float16
    case .bfloat16: .bfloat16
    case .float32: .float32
    }
  }

  /// The name in config.json.
  var name: String {
    switch self {
    case .float16: "float16"
    case .bfloat16: "bfloat16"
    case .float32: "float32"
    }
  }

  init?(name: String) {
    switch name {
    case "float16": self = .float16
    case "bfloat16": self = .bfloat16
    case "float32": self = .float32
    default: return nil
    }
  }
}
