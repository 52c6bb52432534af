/// What the process ends with.
///
/// Scripts rely on these numbers.
enum ExitCode: Int32, Sendable {
  case done = 0
  case failed = 1
  case usage = 2
  case modelNotInstalled = 3
  case memoryRefused = 4
  case contextExceeded = 5
  case fileInvalid = 6
  case network = 7
  case interrupted = 130
  case terminated = 143
}
