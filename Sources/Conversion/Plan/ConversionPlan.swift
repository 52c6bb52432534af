import JSON
import Kernels
package import Transformers
import Weights

/// What a conversion will write, known from headers before anything is read or written.
package struct ConversionPlan: Sendable {
  /// The model that is converted.
  package let sourcePath: String
  /// Bytes of the source's tensors.
  package let sourceByteCount: Int
  /// Tensors that are left out.
  package let unused: [UnusedTensor]
  /// Numbers in the tensors that are written.
  package let parameterCount: Int
  /// Layers that are quantised.
  package let quantisedCount: Int
  /// Layers that stay as they are, since the group does not divide their rows.
  package let passedOver: [PassedOverLayer]

  let source: ConversionSource
  let outputs: [OutputTensor]
  let shards: [Shard]
  let files: [SmallFile]

  /// Bytes of the tensors that are written.
  package var tensorByteCount: Int { outputs.reduce(0) { $0 + $1.byteCount } }

  /// Bits of the file for each number of the model, scales and biases included.
  package var bitsPerWeight: Double {
    8 * Double(tensorByteCount) / Double(max(1, parameterCount))
  }

  /// Bytes of all files.
  package var byteCount: Int {
    shards.reduce(0) { $0 + $1.byteCount } + files.reduce(0) { $0 + $1.byteCount }
  }

  /// Reads the headers of a model and decides what becomes of each tensor; no file takes more than
  /// `shardLimit` bytes of tensors, unless one layer does.
  ///
  /// - Throws: ``ConversionError``, or what is wrong with the files, naming the tensor or setting.
  package init(
    path: String, choice: QuantisationChoice, shardLimit: Int = Shard.usualLimit
  ) throws {
    let source = try ConversionSource(path: path)
    let exchange = try TensorExchange(
      source.weights, settings: try source.settings(), prefix: source.prefix,
      isTied: source.isTied)
    let forms = try LayerForms(exchange, choice: choice)
    let numberType = source.numberType
    outputs = exchange.tensors.map { tensor in
      OutputTensor(
        source: tensor,
        type: tensor.keepsType ? tensor.storedType : numberType ?? tensor.storedType,
        form: forms.form(of: tensor))
    }
    quantisedCount = outputs.count { $0.form != .plain }
    passedOver = outputs.compactMap { output in
      forms.isPassedOver(output.source)
        ? PassedOverLayer(
          module: output.source.module, columns: output.columns, bits: 8 * output.type.byteCount)
        : nil
    }
    guard quantisedCount > 0 || choice.form == .plain else {
      throw ConversionError.nothingToQuantise(group: choice.form.packing?.group ?? 0)
    }
    self.source = source
    sourcePath = path
    sourceByteCount = source.tensorByteCount
    unused = exchange.unused
    parameterCount = exchange.tensors.reduce(0) { $0 + $1.count }
    shards = Shard.shards(of: outputs, limit: shardLimit)
    files = try SmallFile.files(
      source, exchange: exchange, quantisation: forms.configuration, numberType: numberType,
      index: Shard.index(
        shards, byteCount: outputs.reduce(0) { $0 + $1.byteCount },
        parameterCount: parameterCount))
  }
}

extension ConversionPlan {
  /// What is left out, by kind.
  package var unusedTotals: [(reason: UnusedTensor.Reason, count: Int, byteCount: Int)] {
    UnusedTensor.Reason.allCases.compactMap { reason in
      let tensors = unused.filter { $0.reason == reason }
      return tensors.isEmpty
        ? nil : (reason, tensors.count, tensors.reduce(0) { $0 + $1.byteCount })
    }
  }
}
