import Inference
import Synchronization

/// A machine whose memory, pressure and heat a test sets as time goes by; nothing really waits.
final class InventedConditions: Sendable {
  struct State {
    var time = ContinuousClock.now
    var rested = Duration.zero
    var free = 4 * gigabyte
    /// Times that pressure has occurred and nobody has heard of.
    var pressure = 0
    var files: [String: String] = [:]
    /// Thousandths of a degree that a zone loses in a second of rest.
    var cooling = 0
  }

  let state = Mutex(State())

  var memory: MachineMemory {
    MachineMemory(capacity: 8 * gigabyte, free: state.withLock { $0.free })
  }

  var budget: MemoryBudget { MemoryBudget(machine: { self.memory }) }

  var conditions: MachineConditions {
    MachineConditions(
      pressure: { Signal(owner: self) },
      thermometer: Thermometer(files),
      rest: { duration in self.rest(duration) },
      now: { self.state.withLock { $0.time } })
  }

  var files: SystemFiles {
    SystemFiles(
      text: { path in self.state.withLock { $0.files[path] } },
      names: { folder in
        let files = self.state.withLock { $0.files }
        return SystemFiles.invented(files).names(folder)
      })
  }

  func pass(_ duration: Duration) {
    state.withLock { $0.time += duration }
  }

  /// Gives the machine a zone at so many degrees, which goes off at 100.
  func addZone(degrees: Int) {
    let zone = "/sys/class/thermal/thermal_zone0/"
    state.withLock {
      $0.files[zone + "type"] = "x86_pkg_temp\n"
      $0.files[zone + "temp"] = "\(degrees * 1000)\n"
      $0.files[zone + "trip_point_0_type"] = "passive\n"
      $0.files[zone + "trip_point_0_temp"] = "70000\n"
      $0.files[zone + "trip_point_1_type"] = "critical\n"
      $0.files[zone + "trip_point_1_temp"] = "100000\n"
    }
  }

  private func rest(_ duration: Duration) {
    state.withLock { state in
      state.time += duration
      state.rested += duration
      let file = "/sys/class/thermal/thermal_zone0/temp"
      if let text = state.files[file], let degrees = Int(text.dropLast()) {
        let loss = Int(Double(state.cooling) * (duration / .seconds(1)))
        state.files[file] = "\(degrees - loss)\n"
      }
    }
  }

  private struct Signal: PressureSignal {
    let owner: InventedConditions

    func hasOccurred() -> Bool {
      owner.state.withLock { state in
        guard state.pressure > 0 else { return false }
        state.pressure -= 1
        return true
      }
    }
  }
}
