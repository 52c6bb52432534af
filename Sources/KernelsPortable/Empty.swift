// KernelsPortable
