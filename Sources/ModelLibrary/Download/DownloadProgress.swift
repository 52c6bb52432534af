/// How far a download is, over all its files.
package struct DownloadProgress: Sendable, Hashable {
  package enum Phase: Sendable, Hashable {
    /// Reading what an earlier run has left.
    case checking
    case downloading
    /// Reading what has come, against the digests.
    case verifying
  }

  package var phase: Phase
  /// The name of the file, and its place among them from 1.
  package var file: String
  package var number: Int
  package var count: Int
  /// Bytes, of all files.
  package var done: Int
  package var total: Int?
  package var bytesPerSecond: Double?
  package var secondsLeft: Double?
}

/// Adds up what is done over files, and tells it now and then.
final class ProgressTracker {
  private let report: (DownloadProgress) -> Void
  private let count: Int
  private let total: Int?
  private var number = 0
  private var file = ""
  /// Bytes of the files that are done with.
  private var finished = 0
  private var phase = DownloadProgress.Phase.checking
  private var lastReport: ContinuousClock.Instant?
  /// When how much had come, over the last seconds.
  private var samples: [(time: ContinuousClock.Instant, received: Int)] = []
  private var received = 0

  private static let interval = Duration.milliseconds(100)
  private static let window = Duration.seconds(8)

  init(count: Int, total: Int?, report: @escaping (DownloadProgress) -> Void) {
    self.count = count
    self.total = total
    self.report = report
  }

  func begin(_ name: String, number: Int) {
    file = name
    self.number = number
  }

  func end(byteCount: Int) {
    finished += byteCount
    show(position: 0, isForced: true)
  }

  /// Bytes of all files that are here, with `position` of the present one.
  func done(position: Int) -> Int { finished + position }

  var allBytes: Int? { total }

  func enter(_ phase: DownloadProgress.Phase, position: Int) {
    self.phase = phase
    show(position: position, isForced: true)
  }

  /// Bytes came from the network.
  func receive(_ count: Int, position: Int) {
    received += count
    show(position: position, isForced: false)
  }

  func show(position: Int, isForced: Bool) {
    let now = ContinuousClock.now
    if !isForced, let lastReport, lastReport.duration(to: now) < Self.interval { return }
    lastReport = now
    samples.append((now, received))
    while samples.count > 2, samples[0].time.duration(to: now) > Self.window {
      samples.removeFirst()
    }
    var progress = DownloadProgress(
      phase: phase, file: file, number: number, count: count, done: finished + position,
      total: total)
    let span = samples[0].time.duration(to: now) / .seconds(1)
    let came = received - samples[0].received
    if phase == .downloading, span > 0.3, came > 0 {
      let speed = Double(came) / span
      progress.bytesPerSecond = speed
      progress.secondsLeft = total.map { Double(max(0, $0 - progress.done)) / speed }
    }
    report(progress)
  }
}
