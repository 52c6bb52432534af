internal import CCrypto

/// A digest of bytes that come in pieces.
@safe
struct Digester: ~Copyable {
  // Never nil after init, and used by whoever owns the value alone.
  private let context: OpaquePointer

  /// SHA-256.
  init() {
    unsafe self.init(EVP_sha256())
  }

  /// Git's name for a file of `count` bytes.
  init(gitBlobOf count: Int) {
    unsafe self.init(EVP_sha1())
    update(Array("blob \(count)\0".utf8)[...])
  }

  private init(_ algorithm: OpaquePointer?) {
    guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    unsafe self.context = context
    let code = unsafe EVP_DigestInit_ex(context, algorithm, nil)
    precondition(code == 1, "the digest is not available")
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  mutating func update(_ bytes: ArraySlice<UInt8>) {
    let code = unsafe bytes.withUnsafeBytes { bytes -> Int32 in
      guard let base = bytes.baseAddress else { return 1 }
      return unsafe EVP_DigestUpdate(context, base, bytes.count)
    }
    precondition(code == 1, "the digest failed")
  }

  /// The digest in lower-case hexadecimal digits; the value begins anew.
  mutating func finish() -> String {
    var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    let code = unsafe EVP_DigestFinal_ex(context, &bytes, &count)
    precondition(code == 1, "the digest failed")
    let again = unsafe EVP_DigestInit_ex(context, EVP_MD_CTX_get0_md(context), nil)
    precondition(again == 1, "the digest failed")
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes[..<Int(count)] {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
