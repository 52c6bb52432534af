import FoundationEssentials
import JSON

/// Requests to the Hugging Face Hub and to where it sends them on.
final class HubAccess {
  // Used from one thread at a time, as its session is.
  let settings: NetworkSettings
  let pause: PauseSwitch
  private let session: HTTPSession
  private let endpoint: WebAddress
  /// Whether anything has come that was asked for.
  private var hasReceived = false

  private static let redirectLimit = 10

  /// - Throws: `NetworkError.offline`, saying what it was for; `.badURL` of an endpoint that is none.
  init(
    _ settings: NetworkSettings, pause: PauseSwitch, purpose: String
  ) throws(NetworkError) {
    if let name = settings.offlineSwitch { throw .offline(purpose, by: name) }
    self.settings = settings
    self.pause = pause
    endpoint = try WebAddress(settings.endpoint)
    session = try HTTPSession(settings, pause: pause)
  }

  /// A URL below the endpoint; the parts are escaped, a slash in one of them stays.
  func address(_ parts: String..., query: [(String, String)] = []) throws(NetworkError)
    -> WebAddress
  {
    let path = parts.map { part in
      part.split(separator: "/").map { WebAddress.escaped(String($0)) }.joined(separator: "/")
    }
    let words = query.map { "\(WebAddress.escaped($0))=\(WebAddress.escaped($1))" }
    return try WebAddress(
      ([settings.endpoint] + path).joined(separator: "/")
        + (words.isEmpty ? "" : "?" + words.joined(separator: "&")))
  }

  /// Gets a URL and follows where it leads.
  ///
  /// The token goes to the endpoint alone, whoever redirects where. `onRedirect` sees each response
  /// that leads on.
  func get(
    _ start: WebAddress, headers: [String] = [], onRedirect: (HTTPHead) throws -> Void = { _ in },
    receive: (HTTPHead, WebAddress, ArraySlice<UInt8>) throws -> Bool
  ) throws -> (head: HTTPHead, address: WebAddress) {
    var address = start
    for _ in 0...Self.redirectLimit {
      var all = headers + ["Accept-Encoding: identity"]
      if let token = settings.token, address.hasOrigin(of: endpoint), address.keepsSecrets {
        all.append("Authorization: Bearer \(token)")
      }
      let head = try session.get(address, headers: all) { head, bytes in
        // The text of a redirection is of no interest.
        if Self.isRedirect(head.status) { return true }
        return try receive(head, address, bytes)
      }
      guard Self.isRedirect(head.status), let location = head["location"] else {
        return (head, address)
      }
      try onRedirect(head)
      address = try address.following(location)
    }
    throw NetworkError.redirects(host: start.host)
  }

  /// What was asked for has come, or some of it.
  func noteReceived() { hasReceived = true }

  /// Whether nothing else than such errors has ever come from there.
  func isFirstContact(_ error: any Error) -> Bool {
    switch error as? NetworkError {
    case .unreachable(let host, _), .interrupted(let host, _): !session.answered.contains(host)
    case .badResponse, .size: !hasReceived
    default: false
    }
  }

  private static func isRedirect(_ status: Int) -> Bool {
    [301, 302, 303, 307, 308].contains(status)
  }

  /// A JSON text of at most `limit` bytes, tried again where that may help.
  ///
  /// - Throws: `NetworkError`; `what` names what was asked for.
  func json(
    _ address: WebAddress, what: String, limit: Int = 32_000_000
  ) throws -> (json: JSONValue, head: HTTPHead) {
    var retry = Retry(settings, pause: pause)
    while true {
      do {
        var bytes: [UInt8] = []
        let (head, last) = try get(address) { _, address, piece in
          guard bytes.count + piece.count <= limit else {
            throw NetworkError.tooLong(host: address.host, limit: limit)
          }
          bytes.append(contentsOf: piece)
          return true
        }
        try Self.check(head, at: last, what: what, hasToken: settings.token != nil)
        do {
          let json = try JSONReader.read(bytes, form: .lenient, valueLimit: 4_000_000)
          noteReceived()
          return (json, head)
        } catch {
          throw NetworkError.badResponse(host: last.host, "\(error)")
        }
      } catch {
        try retry.after(error, isFirstContact: isFirstContact(error))
      }
    }
  }

  /// Turns a status that is no success into an error.
  static func check(
    _ head: HTTPHead, at address: WebAddress, what: String, hasToken: Bool
  ) throws(NetworkError) {
    switch head.status {
    case 200..<300: return
    case 401, 403:
      // The Hub says 401 for what does not exist too, unless a token shows who asks.
      if head["x-error-code"] == "RepoNotFound", hasToken { throw .notFound(what: what) }
      throw .denied(what: what, status: head.status, hasToken: hasToken)
    case 404, 410: throw .notFound(what: what)
    case 429:
      throw .rateLimited(host: address.host, seconds: head["retry-after"].flatMap { Int($0) })
    default: throw .status(host: address.host, head.status)
    }
  }
}
