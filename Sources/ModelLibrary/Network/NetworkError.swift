/// Why something could not be had from the network.
package enum NetworkError: Error, Equatable {
  /// What was to be done, and what forbids it: `--offline` or a variable.
  case offline(String, by: String)
  /// libcurl is not installed.
  case noLibrary
  /// No connection; the reason is the library's own words.
  case unreachable(host: String, reason: String)
  /// The other side's certificate is not trusted.
  case untrusted(host: String, reason: String)
  /// The connection broke, again and again.
  case interrupted(host: String, reason: String)
  /// 401 or 403.
  case denied(what: String, status: Int, hasToken: Bool)
  case notFound(what: String)
  /// 429; seconds to wait, where the server says.
  case rateLimited(host: String, seconds: Int?)
  /// Any other status that is no success.
  case status(host: String, Int)
  /// Something that HTTP or the Hub does not allow.
  case badResponse(host: String, String)
  case badURL(String)
  case redirects(host: String)
  /// From https to http.
  case insecureRedirect(host: String)
  case tooLong(host: String, limit: Int)
  /// The bytes are not those that were to be had.
  case size(file: String, expected: Int, found: Int)
  case digest(file: String, expected: String, found: String)
  /// It became another file while it was fetched.
  case changed(file: String)
  case noSpace(folder: String, needed: Int, available: Int)
  /// Stopped by the user, in bytes.
  case paused(done: Int, total: Int?)
  /// A name that is not safe to write.
  case unsafeName(String)
  case badReference(String)
  case noSuchQuantisation(repository: String, wanted: String, known: [String])
  /// Nothing in the repository is of use.
  case notRunnable(repository: String, reason: String)
  case pip(String)
}
