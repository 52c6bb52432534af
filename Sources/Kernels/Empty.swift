// Kernels
