import Inference
import JSON
import Kernels
import ModelLibrary

extension Doctor {
  /// The processor, the kernels for it, threads, and how fast they read.
  func processor() -> [DoctorCheck] {
    let limits = ThreadLimits.probe()
    let threads = asked ?? limits.count
    let sets = InstructionSet.allCases.filter(\.isSupported)
    let figures: [(String, JSONValue)] = [
      ("processor", .string(processorName())),
      ("supported", .array(sets.map { .string($0.rawValue) })),
    ]
    let compute: Compute
    do {
      compute = try Compute(threads: threads)
    } catch {
      return [
        .fault("processor", "\(error)", remedy: DoctorWords.unsetInstructionSet, figures),
        threadCheck(limits),
      ]
    }
    let chosen = compute.kernels.instructionSet
    var processor = DoctorCheck.sound(
      "processor", DoctorWords.processor(processorName(), chosen, sets),
      figures + [("chosen", .string(chosen.rawValue))])
    if chosen != .best {
      processor.state = .notice
      processor.remedy = DoctorWords.slowerSet(best: .best)
    }
    return [processor, threadCheck(limits), bandwidth(compute)]
  }

  private var asked: Int? {
    if case .count(let count)? = invocation.options.threads { count } else { nil }
  }

  private func threadCheck(_ limits: ThreadLimits) -> DoctorCheck {
    .sound(
      "threads", DoctorWords.threads(limits, asked: asked),
      [
        ("threads", .integer(asked ?? limits.count)), ("allowed", .integer(limits.allowed)),
        ("quota", .optional(limits.quota)), ("cores", .optional(limits.cores)),
      ])
  }

  private func bandwidth(_ compute: Compute) -> DoctorCheck {
    // A machine that is short of memory is not asked for a buffer.
    let available = MachineMemory.probe().available ?? .max
    let size = 256 << 20
    guard available > 4 * size, let speed = measureReadBandwidth(compute, byteCount: size) else {
      return .notice("bandwidth", DoctorWords.bandwidthUnknown)
    }
    return .sound(
      "bandwidth", DoctorWords.bandwidth(speed), [("bytes_per_second", .number(speed.rounded()))])
  }

  /// What the machine and its control groups grant.
  func memory() -> [DoctorCheck] {
    let memory = MachineMemory.probe()
    guard let tightest = memory.tightest else {
      return [.notice("memory", DoctorWords.memoryUnknown)]
    }
    let figures: [(String, JSONValue)] = [
      ("available_bytes", .integer(tightest.available)), ("bound", .string(tightest.kind.rawValue)),
      (
        "limits",
        .array(
          memory.limits.map { limit in
            [
              "kind": .string(limit.kind.rawValue), "place": .string(limit.place),
              "capacity_bytes": .integer(limit.capacity), "free_bytes": .integer(limit.free),
              "available_bytes": .integer(limit.available),
            ]
          })
      ),
    ]
    // The smallest model of the menu with a short conversation.
    if tightest.available < 300_000_000 {
      return [
        .fault("memory", DoctorWords.memory(memory), remedy: DoctorWords.freeMemory, figures)
      ]
    }
    return [.sound("memory", DoctorWords.memory(memory), figures)]
  }

  /// Libraries that are opened or linked.
  func libraries() -> [DoctorCheck] {
    [
      ("OpenBLAS", MatmulBackend.blas.isAvailable, "--backend blas", "libopenblas0-pthread"),
      ("libcurl", SystemLibraries.hasCurl, "pipit models pull", "libcurl4"),
      ("libcrypto", SystemLibraries.hasCrypto, "checking downloads", "libssl3"),
    ].map { name, isThere, use, package in
      isThere
        ? .sound("library", DoctorWords.found(name), [("library", .string(name))])
        : .fault(
          "library", DoctorWords.missing(name, use: use),
          remedy: DoctorWords.install(package), [("library", .string(name))])
    }
  }
}
