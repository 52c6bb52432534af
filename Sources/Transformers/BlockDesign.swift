/// The choices that a family's decoder blocks make.
struct BlockDesign: Sendable {
  var attention = AttentionDesign()
  var activation = Activation.silu
  var norms = NormPlacement.before
  var normWeights = NormWeights.plain
  var embeddingScale = EmbeddingScale.none

  struct AttentionDesign: Sendable {
    var bias = Bias.none
    var queryKeyNorm = QueryKeyNorm.none
    var outputGate = OutputGate.none
    var fileRotation = FileRotation.halfSplit
  }

  /// Biases of the query, key and value projections.
  enum Bias: Sendable {
    case none, queryKeyValue
    /// Present where the file has them.
    case whereStored
  }

  /// RMS norm of each query and key head before the rotation.
  enum QueryKeyNorm: Sendable {
    case none, perHead
  }

  /// A gate on the attention's output, from the second half of each head of the query projection.
  enum OutputGate: Sendable {
    case none, sigmoid
  }

  /// Which pairs of a head rotate together, as GGUF files of the family store them; anything but
  /// half-split is brought to half-split by permuting rows when the model is loaded.
  enum FileRotation: Sendable {
    case halfSplit
    /// Elements 2i and 2i + 1 (llama.cpp's "NORM"), in GGUF files only.
    case adjacentInGGUF
  }

  enum Activation: Sendable {
    case silu, geluTanh
  }

  /// Where the norms of a block stand.
  enum NormPlacement: Sendable {
    /// Before the mixer and before the feed-forward.
    case before
    /// Before and after each (Gemma).
    case sandwich
  }

  /// How norm weights are stored.
  enum NormWeights: Sendable {
    case plain
    /// As w − 1 in MLX and Hugging Face files, as w in GGUF (Gemma).
    case zeroCentredOutsideGGUF
    /// As w − 1 in raw Hugging Face checkpoints only (Qwen3.5), all but the delta net's own norm.
    case zeroCentredInRawCheckpoints
  }

  enum EmbeddingScale: Sendable {
    case none
    /// √hidden, rounded to bfloat16 as in training (Gemma).
    case squareRootOfHidden
  }
}
