import FoundationEssentials

/// The parts of an http or https URL that matter for what may be sent there.
struct WebAddress: Hashable {
  let url: String
  let scheme: String
  let host: String
  let port: Int

  init(_ text: String) throws(NetworkError) {
    guard text.utf8.count < 8192, let url = URL(string: text),
      let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host()?.lowercased(), !host.isEmpty, url.user() == nil
    else { throw .badURL(text) }
    self.url = text
    self.scheme = scheme
    self.host = host
    port = url.port ?? (scheme == "https" ? 443 : 80)
  }

  /// Where a `Location` header leads.
  func following(_ location: String) throws(NetworkError) -> WebAddress {
    guard let base = URL(string: url), let next = URL(string: location, relativeTo: base) else {
      throw .badURL(location)
    }
    let address = try WebAddress(next.absoluteString)
    guard scheme == "http" || address.scheme == "https" else { throw .insecureRedirect(host: host) }
    return address
  }

  func hasOrigin(of other: WebAddress) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  /// Whether a secret can be sent there: nobody on the way can read it.
  var keepsSecrets: Bool {
    scheme == "https" || ["127.0.0.1", "::1", "[::1]", "localhost"].contains(host)
  }

  /// One part of a path, with everything escaped that is not plain.
  static func escaped(_ part: String) -> String {
    let digits = Array("0123456789ABCDEF")
    var text = ""
    for byte in part.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return text
  }
}
