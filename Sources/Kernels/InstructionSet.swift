import CMachine
import Glibc

/// A set of kernels; every set gives the same bits.
package enum InstructionSet: String, CaseIterable, Sendable {
  /// AVX-512 with VNNI and GFNI (Ice Lake, Zen 4).
  case gfni
  /// AVX-512 with VNNI.
  case avx512
  /// AVX2 with 256-bit VNNI (Alder Lake and most Intel client processors since).
  case avxvnni
  case avx2
  case portable

  /// Whether this processor and this system can run the set.
  package var isSupported: Bool {
    switch self {
    case .gfni: pipit_has_gfni() != 0
    case .avx512: pipit_has_avx512() != 0
    case .avxvnni: pipit_has_avxvnni() != 0 || pipit_has_avx512() != 0
    case .avx2: pipit_has_avx2() != 0
    case .portable: true
    }
  }

  /// The fastest set that this processor can run.
  package static var best: InstructionSet {
    allCases.first(where: \.isSupported) ?? .portable
  }

  /// The set with a name, or the best one if the name is nil or empty.
  ///
  /// - Throws: ``InstructionSetError`` if there is no such set or the processor lacks it.
  package static func named(_ name: String?) throws(InstructionSetError) -> InstructionSet {
    guard let name, !name.isEmpty else { return best }
    guard let set = InstructionSet(rawValue: name) else { throw .unknown(name) }
    return try set.checked()
  }

  /// The set that the variable `PIPIT_ISA` names, or the best one.
  ///
  /// - Throws: ``InstructionSetError``.
  package static func chosen() throws(InstructionSetError) -> InstructionSet {
    try named(unsafe getenv("PIPIT_ISA").map { unsafe String(cString: $0) })
  }

  /// The set itself, if this processor can run it.
  package func checked() throws(InstructionSetError) -> InstructionSet {
    guard isSupported else { throw .unsupported(self) }
    return self
  }
}

/// Why an instruction set cannot be used.
package enum InstructionSetError: Error, Hashable, CustomStringConvertible {
  case unknown(String)
  case unsupported(InstructionSet)

  package var description: String {
    let names = InstructionSet.allCases.map(\.rawValue).joined(separator: ", ")
    return switch self {
    case .unknown(let name): "There is no instruction set “\(name)”; there are \(names)."
    case .unsupported(let set): "This processor does not have \(set.rawValue)."
    }
  }
}
