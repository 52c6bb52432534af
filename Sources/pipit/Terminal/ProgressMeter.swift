import Inference
import Synchronization

/// Shows on a terminal how far loading or reading the prompt has come, once it takes long enough
/// to wonder.
final class ProgressMeter: Sendable {
  private let console: Console
  private let start = ContinuousClock.now
  private let lastShown = Mutex<ContinuousClock.Instant?>(nil)

  init(console: Console) {
    self.console = console
  }

  func show(_ progress: LoadProgress) {
    show(done: progress.done, total: progress.total) { done, total, remaining in
      progress.phase.sentence(done: done, total: total, remaining: remaining)
    }
  }

  func showPrefill(done: Int, total: Int) {
    show(done: done, total: total) { done, total, remaining in
      prefillSentence(done: done, total: total, remaining: remaining)
    }
  }

  func clear() {
    console.clearMeter()
  }

  private func show(
    done: Int, total: Int, _ sentence: (_ done: Int, _ total: Int, _ remaining: Double?) -> String
  ) {
    guard console.hasMeters else { return }
    let now = ContinuousClock.now
    let elapsed = start.duration(to: now)
    if elapsed < .milliseconds(300) { return }
    let isDue = lastShown.withLock { last in
      if let last, last.duration(to: now) < .milliseconds(100), done < total { return false }
      last = now
      return true
    }
    guard isDue else { return }
    var remaining: Double?
    if done > 0, total > done {
      remaining = (elapsed / .seconds(1)) * Double(total - done) / Double(done)
    }
    console.showMeter(sentence(done, total, remaining))
  }
}
