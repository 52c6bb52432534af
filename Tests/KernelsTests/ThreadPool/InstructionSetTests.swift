import Kernels
import Testing

@Suite struct InstructionSetTests {
  @Test func thePortableSetIsAlwaysThere() throws {
    #expect(InstructionSet.portable.isSupported)
    #expect(try InstructionSet.named("portable") == .portable)
    #expect(try InstructionSet.named(nil) == .best)
    #expect(try InstructionSet.named("") == .best)
    #expect(try Compute(threads: 1, instructionSet: .portable).kernels.instructionSet == .portable)
  }

  @Test func anUnknownNameIsRefused() {
    #expect(throws: InstructionSetError.unknown("sse9")) { try InstructionSet.named("sse9") }
    #expect(
      "\(InstructionSetError.unknown("sse9"))"
        == "There is no instruction set “sse9”; there are gfni, avx512, avxvnni, avx2, portable.")
  }
}
