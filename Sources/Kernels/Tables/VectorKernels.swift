/// The vector operations of one instruction set.
package struct VectorKernels: Sendable {
  init(_ instructionSet: InstructionSet) {}
}
