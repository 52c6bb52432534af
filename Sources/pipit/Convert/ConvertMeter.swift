/// Shows on a terminal how far a conversion is.
final class ConvertMeter {
  private let console: Console
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant?

  init(console: Console) {
    self.console = console
  }

  func show(done: Int, total: Int) {
    guard console.hasMeters else { return }
    let now = ContinuousClock.now
    if let last, now - last < .milliseconds(100), done < total { return }
    last = now
    let elapsed = (now - start) / .seconds(1)
    console.showMeter(
      ConvertWords.progress(
        done: done, total: total, seconds: elapsed, columns: Descriptor.errors.columns))
  }
}
