import Kernels

/// What follows the mixer of a layer.
enum FeedForward: Sendable {
  case dense(FeedForwardBlock)
  case experts(ExpertBlock)

  /// Bytes of weights that a token reads.
  var bytesReadPerToken: Int {
    switch self {
    case .dense(let block): block.byteCount
    case .experts(let block): block.bytesReadPerToken
    }
  }

  /// Adds the result to `result`, or stores it there; `input` is (token × hidden).
  func apply(_ input: FloatRows, into result: FloatRows, mode: MultiplyMode, pass: Pass) {
    switch self {
    case .dense(let block): block.apply(input, into: result, mode: mode, pass: pass)
    case .experts(let block): block.apply(input, into: result, mode: mode, pass: pass)
    }
  }
}
