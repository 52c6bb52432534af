// KernelsAVX512
