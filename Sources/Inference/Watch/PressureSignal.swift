/// Tells of memory pressure: the system spends its time finding memory rather than working.
package protocol PressureSignal: Sendable {
  /// Whether there has been pressure since the last call.
  func hasOccurred() -> Bool
}
