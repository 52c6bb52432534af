// KernelsAVX2
