import Kernels
import Tokenizers
import Transformers

/// Reads what was sampled together with a guess of what follows, and gives the logits after each token.
///
/// Where a guess comes true, the logits after it are there already; where it does not, the state goes
/// back to before it. The logits of a position do not depend on what it was read with, so what is
/// sampled from them is what would have been sampled without guesses, token for token.
struct DraftReader {
  typealias Read = (
    ArraySlice<TokenID>, inout PromptMemory, Transformer.Logits
  ) throws -> FloatRows?

  /// Tokens of one step, as many as a kernel multiplies at the pace of one.
  private static let width = 4

  /// Guesses that came true; nil before the first guess.
  private(set) var accepted: Int?

  private let drafting: Drafting
  private let context: Int
  private var lookup: PromptLookup
  private var pace = DraftPace()
  /// What the last step read: tokens owed, the sampled one, and the guess.
  private var step: [TokenID] = []
  /// Tokens at the end of `step` that were guesses, and how many of them came true.
  private var guessed = 0
  private var confirmed = 0
  private var rows: FloatRows?
  private var seconds = 0.0
  /// The state before the last step, of a kind that cannot go back.
  private var before: Reading?
  /// Sampled tokens that the state lacks since it was replaced by `before`.
  private var owed: [TokenID] = []

  init(prompt: [TokenID], context: Int, drafting: Drafting) {
    self.drafting = drafting
    self.context = context
    lookup = PromptLookup(drafting == .off ? [] : prompt)
    step.reserveCapacity(Self.width)
    owed.reserveCapacity(Self.width)
  }

  /// The logits after `token`, one row; nil when cancelled.
  mutating func logits(
    after token: TokenID, _ memory: inout PromptMemory, read: Read
  ) throws -> FloatRows? {
    guard drafting != .off else {
      step.removeAll(keepingCapacity: true)
      step.append(token)
      return try read(step[...], &memory, .last)
    }
    lookup.append(token)
    if confirmed < guessed, step[step.count - guessed + confirmed] == token {
      confirmed += 1
      accepted = (accepted ?? 0) + 1
      return row
    }
    settle(&memory)

    step.removeAll(keepingCapacity: true)
    step += owed
    step.append(token)
    owed.removeAll(keepingCapacity: true)
    let room = min(
      Self.width - step.count, context - memory.live.state.position - step.count)
    if room > 0, pace.allowsDraft() || drafting == .always {
      let guess = lookup.guess(limit: room)
      guessed = guess.count
      step += guess
      if guessed > 0, accepted == nil { accepted = 0 }
    }
    if guessed > 0, !memory.live.state.isRewindable { before = memory.live }
    let isPlain = step.count == 1
    let start = ContinuousClock.now
    rows = try read(step[...], &memory, guessed > 0 ? .all : .last)
    seconds = (ContinuousClock.now - start) / .seconds(1)
    if isPlain { pace.addPlain(seconds: seconds) }
    if rows == nil {
      guessed = 0
      before = nil
      return nil
    }
    return row
  }

  /// The row after the last token that is known to be right.
  private var row: FloatRows? {
    guard let rows else { return nil }
    let index = rows.rows - 1 - guessed + confirmed
    return rows.rows(index..<index + 1)
  }

  /// Ends a reply: the state is that of all tokens but the last one sampled.
  mutating func finish(_ memory: inout PromptMemory, read: Read) throws {
    settle(&memory)
    if !owed.isEmpty { _ = try read(owed[...], &memory, .none) }
    owed.removeAll(keepingCapacity: true)
  }

  /// Takes back what of a guess did not come true.
  private mutating func settle(_ memory: inout PromptMemory) {
    guard guessed > 0 else { return }
    pace.addDraft(seconds: seconds, tokens: 1 + confirmed)
    let wrong = guessed - confirmed
    if wrong > 0 {
      if let before, !memory.canGoBack(by: wrong) {
        memory.goBack(to: before)
        owed += step.dropLast(wrong)
      } else {
        memory.goBack(by: wrong)
      }
    }
    guessed = 0
    confirmed = 0
    before = nil
  }
}
