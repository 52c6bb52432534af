import Foundation
import Glibc
import JSON
import ModelLibrary
import TestSupport
import Testing

/// A hub that speaks TLS with a certificate of its own making.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
struct EncryptionTests {
  private let scratch: Scratch
  private let hub: FakeHub
  private let digest: String
  private static let spec: JSONValue = ["size": 300_000, "seed": 1]

  init() throws {
    scratch = try Scratch()
    let key = scratch.path + "/key.pem"
    let certificate = scratch.path + "/certificate.pem"
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = [
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days",
      "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    hub = try FakeHub(certificate: (certificate, key))
    digest = try #require(
      try hub.serve(FetchRig.repositories(Self.spec))["owner/name/model.gguf"])
  }

  private func fetch(trusting: Bool) throws -> FetchedFile {
    let values = [
      "HF_ENDPOINT": hub.endpoint, "HOME": scratch.path, "PIPIT_NETWORK_PATIENCE": "1",
      "SSL_CERT_FILE": trusting ? scratch.path + "/certificate.pem" : "", "HF_TOKEN": "hf_secret",
    ]
    let file = RemoteFile(
      name: "model.gguf",
      location: .hub(repository: "owner/name", commit: FetchRig.commit, path: "model.gguf"),
      byteCount: 300_000, digest: .sha256(digest))
    return try Downloader(NetworkSettings { values[$0] }).fetch(
      [file], into: scratch.path + "/incoming")[0]
  }

  @Test func aTrustedCertificateIsTaken() throws {
    #expect(try fetch(trusting: true).sha256 == digest)
  }

  @Test func anUntrustedOneIsRefusedAtOnce() throws {
    #expect {
      try fetch(trusting: false)
    } throws: {
      if case NetworkError.untrusted(host: "localhost", _) = $0 { true } else { false }
    }
    #expect(try hub.log().isEmpty)
  }

  @Test func encryptionIsNotGivenUpOnTheWay() throws {
    try hub.serve(
      FetchRig.repositories(Self.spec),
      faults: [fault("elsewhere", ["url": .string(hub.elsewhere + "/x")], server: "hub")])
    #expect(throws: NetworkError.insecureRedirect(host: "localhost")) { try fetch(trusting: true) }
    #expect(try hub.log().count == 1)
  }
}
