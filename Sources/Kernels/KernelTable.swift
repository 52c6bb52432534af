/// The kernels of one instruction set.
package struct KernelTable: Sendable {
  package let instructionSet: InstructionSet
  package let matmul: MatmulKernels
  package let vector: VectorKernels

  /// The kernels that every processor can run.
  package static let portable = KernelTable(unchecked: .portable)

  /// - Throws: ``InstructionSetError`` if the processor lacks the set.
  package init(_ instructionSet: InstructionSet) throws(InstructionSetError) {
    self.init(unchecked: try instructionSet.checked())
  }

  private init(unchecked instructionSet: InstructionSet) {
    self.instructionSet = instructionSet
    matmul = MatmulKernels(instructionSet)
    vector = VectorKernels(instructionSet)
  }
}
