import CCurl
import Glibc

/// libcurl, opened when something is fetched: with all that it depends on it would make every start of
/// the program slower.
@safe
struct CurlLibrary: @unchecked Sendable {
  // Addresses of functions, which never change once the library is open; it is never closed.
  let easyInit: UnsafeMutableRawPointer
  let easyReset: UnsafeMutableRawPointer
  let easyCleanup: UnsafeMutableRawPointer
  let easyPerform: UnsafeMutableRawPointer
  let easyError: UnsafeMutableRawPointer
  let listAppend: UnsafeMutableRawPointer
  let listFree: UnsafeMutableRawPointer
  let setOption: UnsafeMutableRawPointer

  #if os(macOS)
    private static let file = "libcurl.4.dylib"
  #else
    private static let file = "libcurl.so.4"
  #endif

  /// Nil where the library is not installed.
  static let shared = CurlLibrary()

  private init?() {
    guard let library = unsafe dlopen(Self.file, RTLD_NOW | RTLD_LOCAL) else { return nil }
    func find(_ name: String) -> UnsafeMutableRawPointer? { unsafe dlsym(library, name) }
    guard let globalInit = unsafe find("curl_global_init"),
      let easyInit = unsafe find("curl_easy_init"), let easyReset = unsafe find("curl_easy_reset"),
      let easyCleanup = unsafe find("curl_easy_cleanup"),
      let easyPerform = unsafe find("curl_easy_perform"),
      let easyError = unsafe find("curl_easy_strerror"),
      let listAppend = unsafe find("curl_slist_append"),
      let listFree = unsafe find("curl_slist_free_all"),
      let setOption = unsafe find("curl_easy_setopt"),
      unsafe pipit_curl_global_init(globalInit) == CURLE_OK
    else { return nil }
    unsafe self.easyInit = easyInit
    unsafe self.easyReset = easyReset
    unsafe self.easyCleanup = easyCleanup
    unsafe self.easyPerform = easyPerform
    unsafe self.easyError = easyError
    unsafe self.listAppend = listAppend
    unsafe self.listFree = listFree
    unsafe self.setOption = setOption
  }
}
