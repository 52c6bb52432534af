#if arch(x86_64)
  import KernelsAVX2

  extension VectorKernels {
    static let avx2 = unsafe VectorKernels(
      add: KernelsAVX2.add(_:to:count:),
      scale: KernelsAVX2.scale(_:by:count:),
      multiplySiLU: KernelsAVX2.multiplySiLU(gate:up:_:count:),
      multiplyGELU: KernelsAVX2.multiplyGELU(gate:up:_:count:),
      multiplySigmoid: KernelsAVX2.multiplySigmoid(gate:x:_:count:),
      exponentials: KernelsAVX2.exponentials(_:_:count:),
      normalise: KernelsAVX2.normalise(_:weight:epsilon:_:count:),
      normaliseLength: KernelsAVX2.normaliseLength(_:epsilon:scale:_:count:),
      rotate: KernelsAVX2.rotate(_:heads:headDimension:pairs:cosines:sines:),
      storeFloat16: KernelsAVX2.storeFloat16(_:count:_:stride:),
      storeFloat32: KernelsAVX2.storeFloat32(_:count:_:stride:),
      attendFloat16Block: KernelsAVX2.attendFloat16Block(_:keys:values:start:),
      attendFloat32Block: KernelsAVX2.attendFloat32Block(_:keys:values:start:),
      attendQuantisedBlock: KernelsAVX2.attendQuantisedBlock(_:keys:values:start:),
      quantiseBlock:
        KernelsAVX2.quantiseBlock(
          keys:values:headDimension:keyBits:valueBits:_:scratch:),
      mergeRows: KernelsAVX2.mergeRows(_:into:count:paddedDimension:scratch:),
      finishAttention: KernelsAVX2.finishAttention(output:sum:_:count:),
      convolve: KernelsAVX2.convolve(_:_:_:_:weights:weightStride:_:count:),
      applyDeltaRule: KernelsAVX2.applyDeltaRule(_:),
      samplingWeights:
        KernelsAVX2.samplingWeights(_:maximum:temperature:_:count:),
      estimatedTotalWeight:
        KernelsAVX2.estimatedTotalWeight(_:maximum:scale:count:),
      blockMaxima: KernelsAVX2.blockMaxima(_:_:count:),
      indexOfMaximum: KernelsAVX2.indexOfMaximum(_:count:))
  }
#endif
