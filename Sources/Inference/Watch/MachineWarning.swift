/// What a user has to know at once, whatever is being computed.
package enum MachineWarning: Sendable, Hashable {
  /// A load or prompt would have been refused (`--force`).
  case forced(MemoryRefusal)
  /// A reply would have been stopped (`--force`).
  case goingOn(ReplyShortfall)
  /// Computing rests until a zone is cooler.
  case cooling(Thermometer.Heat)
}

/// What the machine lacks for a reply to go on.
package enum ReplyShortfall: Sendable, Hashable {
  /// Less is free than the red line of a limit.
  case redLine(MemoryLimit)
  /// The system is short of memory, and nothing but slack is left of a limit.
  case pressure(MemoryLimit)
  /// It did not cool in the time that a reply may stand still.
  case heat(Thermometer.Heat, Duration)
}

extension MachineWarning: CustomStringConvertible {
  package var description: String {
    switch self {
    case .forced(let refusal): "\(refusal.fact); trying anyway (--force)."
    case .goingOn(let shortfall): "\(shortfall.fact); going on (--force)."
    case .cooling(let heat):
      """
      The machine is too hot (\(heat.zone) at \(heat.degrees) °C, its limit is \(heat.limit)); \
      resting until it has cooled.
      """
    }
  }
}

extension ReplyShortfall: CustomStringConvertible {
  package var description: String { "The reply was stopped: \(fact)." }

  var fact: String {
    switch self {
    case .redLine(let limit):
      """
      memory ran short, \(ByteCount.text(limit.free)) is left of \(limit) and \
      \(ByteCount.text(MemorySlack.redLine(of: limit))) is the least that has to be
      """
    case .pressure(let limit):
      """
      memory ran short, the system is under pressure and \(ByteCount.text(limit.free)) is left of \
      \(limit)
      """
    case .heat(let heat, let rested):
      """
      the machine stayed too hot, \(heat.zone) at \(heat.degrees) °C after a rest of \
      \(rested.components.seconds) s
      """
    }
  }
}
