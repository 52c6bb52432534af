/// Whether the libraries that this module needs are there and work.
package enum SystemLibraries {
  /// libcurl, which is opened when something is fetched.
  package static var hasCurl: Bool { CurlLibrary.shared != nil }

  /// libcrypto: whether it gives the digest of FIPS 180-4's first example.
  package static var hasCrypto: Bool {
    var digester = Digester()
    digester.update(Array("abc".utf8)[...])
    return digester.finish()
      == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  }
}

extension ModelLibrary {
  /// Bytes that may still be written to the file system of a folder; nil if nobody knows.
  package static func freeSpace(in folder: String) -> Int? { Folders.freeSpace(folder) }
}
