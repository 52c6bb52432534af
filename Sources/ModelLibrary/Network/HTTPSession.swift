import CCurl
import Glibc
import Synchronization

/// Requests over one libcurl handle, which keeps connections open between them.
///
/// Used from one thread at a time. Redirects are not followed: who asks decides what may be sent on.
@safe
final class HTTPSession {
  // Made in init, released in deinit, and used by nobody else.
  private let handle: UnsafeMutableRawPointer
  private let settings: NetworkSettings
  private let pause: PauseSwitch
  private let library: CurlLibrary
  /// The hosts that have answered, whatever they said.
  private(set) var answered: Set<String> = []

  /// - Throws: `NetworkError.noLibrary`.
  init(_ settings: NetworkSettings, pause: PauseSwitch) throws(NetworkError) {
    guard let library = CurlLibrary.shared,
      let handle = unsafe pipit_curl_easy_init(library.easyInit)
    else { throw .noLibrary }
    self.library = library
    unsafe self.handle = handle
    self.settings = settings
    self.pause = pause
  }

  deinit {
    unsafe pipit_curl_easy_cleanup(library.easyCleanup, handle)
  }

  /// Gets a URL.
  ///
  /// `receive` is called for each piece of the body, of whatever status; what it throws ends the
  /// transfer and is thrown on. Returning false ends it quietly.
  ///
  /// - Throws: `NetworkError.unreachable`, `.untrusted`, `.interrupted`, `.paused`, `.badURL`.
  func get(
    _ address: WebAddress, headers: [String],
    receive: (HTTPHead, ArraySlice<UInt8>) throws -> Bool
  ) throws -> HTTPHead {
    if pause.isPaused { throw NetworkError.paused(done: 0, total: nil) }
    return try withoutActuallyEscaping(receive) { receive in
      let transfer = Transfer(pause: pause, receive: receive)
      let code = perform(address, headers: headers, transfer)
      if transfer.head.status > 0 { answered.insert(address.host) }
      return try transfer.outcome(code, host: address.host) {
        unsafe String(cString: pipit_curl_easy_strerror(library.easyError, code))
      }
    }
  }

  private func perform(
    _ address: WebAddress, headers: [String], _ transfer: Transfer
  ) -> CURLcode {
    let curl = unsafe handle
    let setter = unsafe library.setOption
    unsafe pipit_curl_easy_reset(library.easyReset, curl)
    func set(_ option: CURLoption, _ value: Int) {
      unsafe _ = pipit_curl_set_number(setter, curl, option, value)
    }
    func set(_ option: CURLoption, _ value: String) {
      unsafe _ = pipit_curl_set_text(setter, curl, option, value)
    }
    set(CURLOPT_URL, address.url)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_USERAGENT, "pipit")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_CONNECTTIMEOUT, settings.connectLimit)
    set(CURLOPT_LOW_SPEED_LIMIT, 1)
    set(CURLOPT_LOW_SPEED_TIME, settings.stallLimit)
    set(CURLOPT_BUFFERSIZE, 1 << 18)
    if let certificates = settings.certificates { set(CURLOPT_CAINFO, certificates) }

    var list: UnsafeMutablePointer<curl_slist>?
    for header in headers {
      unsafe list = pipit_curl_slist_append(library.listAppend, list, header)
    }
    defer { unsafe pipit_curl_slist_free_all(library.listFree, list) }
    unsafe _ = pipit_curl_set_pointer(setter, curl, CURLOPT_HTTPHEADER, list)

    let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
    unsafe _ = pipit_curl_set_pointer(setter, curl, CURLOPT_WRITEDATA, context)
    unsafe _ = pipit_curl_set_receiver(setter, curl, CURLOPT_WRITEFUNCTION, receiveBody)
    unsafe _ = pipit_curl_set_pointer(setter, curl, CURLOPT_HEADERDATA, context)
    unsafe _ = pipit_curl_set_receiver(setter, curl, CURLOPT_HEADERFUNCTION, receiveHeader)
    unsafe _ = pipit_curl_set_pointer(setter, curl, CURLOPT_XFERINFODATA, context)
    unsafe _ = pipit_curl_set_progress(setter, curl, reportProgress)
    set(CURLOPT_NOPROGRESS, 0)
    return withExtendedLifetime(transfer) {
      unsafe pipit_curl_easy_perform(library.easyPerform, curl)
    }
  }
}

/// What the callbacks of one transfer share.
private final class Transfer {
  var head = HTTPHead()
  var failure: (any Error)?
  /// Whether the receiver wanted no more.
  var isEnough = false
  let pause: PauseSwitch
  private let receive: (HTTPHead, ArraySlice<UInt8>) throws -> Bool

  init(pause: PauseSwitch, receive: @escaping (HTTPHead, ArraySlice<UInt8>) throws -> Bool) {
    self.pause = pause
    self.receive = receive
  }

  /// Whether the transfer goes on.
  func take(_ bytes: [UInt8]) -> Bool {
    do {
      if try receive(head, bytes[...]) { return true }
      isEnough = true
    } catch {
      failure = error
    }
    return false
  }

  func outcome(_ code: CURLcode, host: String, reason: () -> String) throws -> HTTPHead {
    if let failure { throw failure }
    if isEnough || code == CURLE_OK { return head }
    if pause.isPaused { throw NetworkError.paused(done: 0, total: nil) }
    switch code {
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: throw NetworkError.badURL(host)
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
      throw NetworkError.unreachable(host: host, reason: reason())
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
      throw NetworkError.untrusted(host: host, reason: reason())
    default: throw NetworkError.interrupted(host: host, reason: reason())
    }
  }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
  unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
  // Any other number than was given ends the transfer.
  return unsafe transfer(context)?.take(Array(buffer)) == true ? size * count : 0
}

private func receiveHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
  unsafe transfer(context)?.head.add(line: String(decoding: buffer, as: UTF8.self))
  return buffer.count
}

private func reportProgress(
  _ context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> Int32 {
  unsafe transfer(context)?.pause.isPaused == true ? 1 : 0
}
