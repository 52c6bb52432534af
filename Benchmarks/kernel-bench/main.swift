print("kernel-bench")
