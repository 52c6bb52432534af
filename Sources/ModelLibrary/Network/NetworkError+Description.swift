import Inference
import JSON

extension NetworkError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .offline(let what, let name): "\(what) needs the network, and \(name) forbids it."
    case .noLibrary:
      "Downloads need libcurl, which is not installed (on Debian it is the package libcurl4)."
    case .unreachable(let host, let reason): "\(host) cannot be reached: \(Self.plain(reason))."
    case .untrusted(let host, let reason):
      "The certificate of \(host) is not trusted: \(Self.plain(reason))."
    case .interrupted(let host, let reason):
      """
      The connection to \(host) broke too often (\(Self.plain(reason))); what has come is kept, \
      and the same command goes on from there.
      """
    case .denied(let what, let status, hasToken: false):
      """
      Access to \(what) was refused (\(status)): it does not exist, or it is private or gated. If it \
      is gated, accept its terms on its page and set HF_TOKEN to a token of yours.
      """
    case .denied(let what, let status, hasToken: true):
      """
      Access to \(what) was refused (\(status)) although HF_TOKEN is set. If it is gated, accept its \
      terms on its page; else the token may not read it.
      """
    case .notFound(let what): "There is no \(what)."
    case .rateLimited(let host, let seconds?):
      "\(host) asks to wait \(seconds) s; what has come is kept."
    case .rateLimited(let host, nil):
      "\(host) refuses more requests for now; what has come is kept."
    case .status(let host, let status): "\(host) answered with status \(status)."
    case .badResponse(let host, let problem): "\(host) gave a wrong answer: \(problem)."
    case .badURL(let url): "\(url.displayable(limit: 200)) is not a URL that can be fetched."
    case .redirects(let host): "\(host) redirects without end."
    case .insecureRedirect(let host): "\(host) redirects to an address that is not encrypted."
    case .tooLong(let host, let limit):
      "The answer of \(host) is longer than \(ByteCount.text(limit))."
    case .size(let file, let expected, let found):
      "\(file) has \(found.grouped) bytes where \(expected.grouped) were promised; it was not kept."
    case .digest(let file, let expected, let found):
      """
      \(file) is not the file that was promised: its SHA-256 begins with \(found.prefix(12)), not \
      \(expected.prefix(12)). It was not kept.
      """
    case .changed(let file): "\(file) was changed where it comes from; try again for the new one."
    case .noSpace(let folder, let needed, let available):
      """
      There is not enough room in \(folder): \(ByteCount.text(needed)) are needed, and \
      \(ByteCount.text(available)) are free.
      """
    case .paused(let done, let total):
      "Paused at \(ByteCount.text(done))\(total.map { " of \(ByteCount.text($0))" } ?? "")."
    case .unsafeName(let name): "The name '\(name.displayable(limit: 100))' is not safe for a file."
    case .badReference(let text):
      """
      '\(text.displayable(limit: 100))' does not name a repository; the form is \
      hf:OWNER/NAME[@REVISION][:QUANTISATION], or the address of its page on huggingface.co.
      """
    case .noSuchQuantisation(let repository, let wanted, let known):
      """
      \(repository) has no '\(wanted.displayable(limit: 40))'; it has \
      \(known.joined(separator: ", ")).
      """
    case .notRunnable(let repository, let reason): "\(repository) cannot be used: \(reason)."
    case .pip(let problem): "pip could not fetch it: \(problem)."
    }
  }

  private static func plain(_ reason: String) -> String {
    var text = reason.displayable(limit: 200)
    while text.hasSuffix(".") { text.removeLast() }
    return text
  }
}
