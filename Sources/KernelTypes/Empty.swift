// KernelTypes
