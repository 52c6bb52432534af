#if arch(x86_64)
  import KernelsAVX512

  extension VectorKernels {
    static let avx512 = unsafe VectorKernels(
      add: KernelsAVX512.add(_:to:count:),
      scale: KernelsAVX512.scale(_:by:count:),
      multiplySiLU: KernelsAVX512.multiplySiLU(gate:up:_:count:),
      multiplyGELU: KernelsAVX512.multiplyGELU(gate:up:_:count:),
      multiplySigmoid: KernelsAVX512.multiplySigmoid(gate:x:_:count:),
      exponentials: KernelsAVX512.exponentials(_:_:count:),
      normalise: KernelsAVX512.normalise(_:weight:epsilon:_:count:),
      normaliseLength: KernelsAVX512.normaliseLength(_:epsilon:scale:_:count:),
      rotate: KernelsAVX512.rotate(_:heads:headDimension:pairs:cosines:sines:),
      storeFloat16: KernelsAVX512.storeFloat16(_:count:_:stride:),
      storeFloat32: KernelsAVX512.storeFloat32(_:count:_:stride:),
      attendFloat16Block: KernelsAVX512.attendFloat16Block(_:keys:values:start:),
      attendFloat32Block: KernelsAVX512.attendFloat32Block(_:keys:values:start:),
      attendQuantisedBlock: KernelsAVX512.attendQuantisedBlock(_:keys:values:start:),
      quantiseBlock:
        KernelsAVX512.quantiseBlock(
          keys:values:headDimension:keyBits:valueBits:_:scratch:),
      mergeRows: KernelsAVX512.mergeRows(_:into:count:paddedDimension:scratch:),
      finishAttention: KernelsAVX512.finishAttention(output:sum:_:count:),
      convolve: KernelsAVX512.convolve(_:_:_:_:weights:weightStride:_:count:),
      applyDeltaRule: KernelsAVX512.applyDeltaRule(_:),
      samplingWeights:
        KernelsAVX512.samplingWeights(_:maximum:temperature:_:count:),
      estimatedTotalWeight:
        KernelsAVX512.estimatedTotalWeight(_:maximum:scale:count:),
      blockMaxima: KernelsAVX512.blockMaxima(_:_:count:),
      indexOfMaximum: KernelsAVX512.indexOfMaximum(_:count:))
  }
#endif
