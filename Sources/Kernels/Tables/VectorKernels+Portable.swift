import KernelsPortable

extension VectorKernels {
  static let portable = unsafe VectorKernels(
    add: KernelsPortable.add(_:to:count:),
    scale: KernelsPortable.scale(_:by:count:),
    multiplySiLU: KernelsPortable.multiplySiLU(gate:up:_:count:),
    multiplyGELU: KernelsPortable.multiplyGELU(gate:up:_:count:),
    multiplySigmoid: KernelsPortable.multiplySigmoid(gate:x:_:count:),
    exponentials: KernelsPortable.exponentials(_:_:count:),
    normalise: KernelsPortable.normalise(_:weight:epsilon:_:count:),
    normaliseLength: KernelsPortable.normaliseLength(_:epsilon:scale:_:count:),
    rotate: KernelsPortable.rotate(_:heads:headDimension:pairs:cosines:sines:),
    storeFloat16: KernelsPortable.storeFloat16(_:count:_:stride:),
    storeFloat32: KernelsPortable.storeFloat32(_:count:_:stride:),
    attendFloat16Block: KernelsPortable.attendFloat16Block(_:keys:values:start:),
    attendFloat32Block: KernelsPortable.attendFloat32Block(_:keys:values:start:),
    attendQuantisedBlock: KernelsPortable.attendQuantisedBlock(_:keys:values:start:),
    quantiseBlock:
      KernelsPortable.quantiseBlock(
        keys:values:headDimension:keyBits:valueBits:_:scratch:),
    mergeRows: KernelsPortable.mergeRows(_:into:count:paddedDimension:scratch:),
    finishAttention: KernelsPortable.finishAttention(output:sum:_:count:),
    convolve: KernelsPortable.convolve(_:_:_:_:weights:weightStride:_:count:),
    applyDeltaRule: KernelsPortable.applyDeltaRule(_:),
    samplingWeights:
      KernelsPortable.samplingWeights(_:maximum:temperature:_:count:),
    estimatedTotalWeight:
      KernelsPortable.estimatedTotalWeight(_:maximum:scale:count:),
    blockMaxima: KernelsPortable.blockMaxima(_:_:count:),
    indexOfMaximum: KernelsPortable.indexOfMaximum(_:count:))
}
