import COpenBLAS
import Glibc

/// OpenBLAS, opened when the reference backend is used.
///
/// Loaded with the program it would cost every start some 10 ms, start threads of its own that spin
/// on the cores which are to prepare the weights, and lie in memory that no answer needs.
@safe struct BLASLibrary: @unchecked Sendable {
  typealias MatrixProduct =
    @convention(c) (
      CBLAS_ORDER, CBLAS_TRANSPOSE, CBLAS_TRANSPOSE, _ rows: blasint, _ columns: blasint,
      _ inner: blasint, Float, UnsafePointer<Float>?, blasint, UnsafePointer<Float>?, blasint,
      Float, UnsafeMutablePointer<Float>?, blasint
    ) -> Void
  typealias VectorProduct =
    @convention(c) (
      CBLAS_ORDER, CBLAS_TRANSPOSE, _ rows: blasint, _ columns: blasint, Float,
      UnsafePointer<Float>?, blasint, UnsafePointer<Float>?, blasint, Float,
      UnsafeMutablePointer<Float>?, blasint
    ) -> Void

  let sgemm: MatrixProduct
  let sgemv: VectorProduct

  #if os(macOS)
    private static let file = "libopenblas.dylib"
  #else
    private static let file = "libopenblas.so.0"
  #endif

  /// Nil where the library is not installed; never closed.
  static let shared = BLASLibrary()

  private init?() {
    // One thread per caller: the pool is what makes products parallel. Read by the library while it
    // is opened, which would otherwise start threads first and be told afterwards.
    unsafe setenv("OPENBLAS_NUM_THREADS", "1", 1)
    guard let library = unsafe dlopen(Self.file, RTLD_NOW | RTLD_LOCAL),
      let matrixProduct = unsafe dlsym(library, "cblas_sgemm"),
      let vectorProduct = unsafe dlsym(library, "cblas_sgemv")
    else { return nil }
    unsafe sgemm = unsafeBitCast(matrixProduct, to: MatrixProduct.self)
    unsafe sgemv = unsafeBitCast(vectorProduct, to: VectorProduct.self)
  }
}

extension MatmulBackend {
  /// Whether what the backend needs is installed.
  package var isAvailable: Bool {
    switch self {
    case .simd: true
    case .blas: BLASLibrary.shared != nil
    }
  }
}
