/// The kernels of one instruction set.
package struct KernelTable: Sendable {
  package let instructionSet: InstructionSet
  package let matmul: MatmulKernels
  package let vector: VectorKernels

  /// - Throws: ``InstructionSetError`` if the processor lacks the set.
  package init(_ instructionSet: InstructionSet) throws(InstructionSetError) {
    self.instructionSet = try instructionSet.checked()
    matmul = MatmulKernels(instructionSet)
    vector = VectorKernels(instructionSet)
  }
}
