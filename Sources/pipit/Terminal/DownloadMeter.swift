import ModelLibrary
import Synchronization

/// Shows how far a download is: on a terminal as a line that is drawn over, else now and then.
final class DownloadMeter: Sendable {
  private let console: Console
  private let lastTenth = Mutex(-1)

  init(console: Console) {
    self.console = console
  }

  func show(_ progress: DownloadProgress) {
    if console.hasMeters {
      console.showMeter(progress.sentence)
      return
    }
    // A log gets a line for each tenth.
    guard progress.phase == .downloading, let total = progress.total, total > 0 else { return }
    let tenth = progress.done * 10 / total
    let isNew = lastTenth.withLock { last in
      defer { last = max(last, tenth) }
      return tenth > last
    }
    if isNew { console.note(progress.sentence) }
  }

  func clear() {
    console.clearMeter()
  }
}
