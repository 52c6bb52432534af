import Kernels
package import Tokenizers
import Transformers

extension CPUEngine {
  /// The token that goes before a text; nil when the loaded model adds none.
  package var textBeginning: TokenID? {
    get throws {
      let roles = try requireModel().tokenizer.roles
      return roles.addsBeginning ? roles.beginning : nil
    }
  }

  /// −ln of the probability that the model gives each token after position `first`, from the tokens
  /// before it and an empty context.
  ///
  /// The output is computed for the positions that count only. Computed in double precision and
  /// added up in the vocabulary's order, so the same everywhere.
  ///
  /// - Throws: `EngineError`, `MemoryRefusal` where memory is short, or `ModelError` when there are more tokens than the context holds, for
  ///   tokens outside the vocabulary and for logits that are not finite.
  package func surprisals(of tokens: [TokenID], after first: Int) async throws -> [Double] {
    precondition(first >= 0 && first < tokens.count)
    let model = try requireModel()
    let budget = budget
    return try await onQueue {
      let transformer = model.transformer
      try model.admit(
        MemoryPlan(state: transformer.configuration, type: model.keyValueType, workspace: 0),
        positions: tokens.count, budget: budget)
      let vocabulary = transformer.configuration.vocabularySize
      for token in tokens where token < 0 || Int(token) >= vocabulary {
        throw ModelError.tokenOutOfRange(Int(token), vocabulary: vocabulary)
      }
      var state = transformer.emptyState(
        context: model.context, keysAndValues: model.keyValueType)
      var result: [Double] = []
      result.reserveCapacity(tokens.count - 1 - first)
      // The last token is predicted, but predicts nothing.
      while state.position < tokens.count - 1 {
        let start = state.position
        let isScored = start >= first
        let end = min(start + model.workspace.capacity, isScored ? tokens.count - 1 : first)
        try transformer.read(
          tokens[start..<end], state: &state, workspace: model.workspace, backend: model.backend,
          logits: isScored ? .all : .none
        ) { position, rows in
          let targets = (0..<rows.rows).map { Int(tokens[position + $0 + 1]) }
          result += try scoredRows(
            rows, targets: targets, position: position, pool: transformer.compute.pool)
        }
      }
      return result
    }
  }
}

/// The surprisal of a target in each row of logits.
private func scoredRows(
  _ rows: FloatRows, targets: [Int], position: Int, pool: ThreadPool
) throws -> [Double] {
  let results = Slab<Double>(count: rows.rows)
  pool.run(rows.rows) { row, _ in
    results[row] = rows.withMutableRow(row) { logits in
      surprisal(logits.span, target: targets[row])
    }
  }
  return try (0..<rows.rows).map { row in
    guard results[row].isFinite else { throw ModelError.logitsNotFinite(position: position + row) }
    return results[row]
  }
}

/// ln Σ eˡ − l of the target; not finite when a logit is not.
private func surprisal(_ logits: Span<Float>, target: Int) -> Double {
  var greatest = -Float.infinity
  for index in logits.indices { greatest = max(greatest, logits[index]) }
  guard greatest.isFinite else { return .nan }
  let top = Double(greatest)
  var sum = 0.0
  for index in logits.indices {
    // Not max(): that drops what is not a number.
    guard logits[index].isFinite else { return .nan }
    sum += ExactMath.exponential(Double(logits[index]) - top)
  }
  return ExactMath.logarithm(sum) + top - Double(logits[target])
}
