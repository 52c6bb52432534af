import Foundation
import JSON
import ModelLibrary
import TestSupport
import Testing

/// A file on a fake Hub, and a folder to fetch it into.
final class FetchRig {
  static let repository = "owner/name"
  static let commit = String(repeating: "c", count: 40)
  let hub: FakeHub
  let scratch: Scratch
  let size: Int
  let spec: JSONValue
  let digest: String
  var pause = PauseSwitch()
  var token: String?

  /// `isLarge` files come from the other server.
  init(size: Int = 5_000_000, isLarge: Bool = true, faults: [JSONValue] = []) throws {
    hub = try FakeHub()
    scratch = try Scratch()
    self.size = size
    spec = ["size": .integer(size), "seed": 1, "lfs": .bool(isLarge)]
    let digests = try hub.serve(Self.repositories(spec), faults: faults)
    digest = try #require(digests["owner/name/model.gguf"])
  }

  static func repositories(_ spec: JSONValue) -> JSONValue {
    ["owner/name": ["commit": .string(commit), "files": ["model.gguf": spec]]]
  }

  var folder: String { scratch.path + "/incoming" }
  var path: String { folder + "/model.gguf" }

  /// The file as the Hub's list describes it.
  var file: RemoteFile {
    RemoteFile(
      name: "model.gguf",
      location: .hub(repository: Self.repository, commit: Self.commit, path: "model.gguf"),
      byteCount: size, digest: .sha256(digest))
  }

  /// The same by its URL alone: nothing is known of it.
  var bareFile: RemoteFile {
    RemoteFile(
      name: "model.gguf",
      location: .url("\(hub.elsewhere)/cdn/owner/name/resolve/main/model.gguf"))
  }

  var settings: NetworkSettings {
    let values = [
      "HF_ENDPOINT": hub.endpoint, "HOME": scratch.path, "PIPIT_NETWORK_PATIENCE": "1",
      "HF_TOKEN": token ?? "",
    ]
    return NetworkSettings { values[$0] }
  }

  @discardableResult
  func fetch(
    _ file: RemoteFile? = nil, progress: (DownloadProgress) -> Void = { _ in }
  ) throws -> FetchedFile {
    try Downloader(settings, pause: pause).fetch(
      [file ?? self.file], into: folder, progress: progress)[0]
  }

  /// Bytes of the file that were sent since it was served.
  func sent() throws -> Int { try hub.log().reduce(0) { $0 + $1.sent } }

  /// Whether the file is there, and is the one that is served.
  func isRight(_ fetched: FetchedFile) -> Bool {
    fetched.sha256 == digest && fetched.byteCount == size && Self.size(of: path) == size
      && !FileManager.default.fileExists(atPath: path + ".part")
      && !FileManager.default.fileExists(atPath: path + ".part.journal")
  }

  var isLoadable: Bool { FileManager.default.fileExists(atPath: path) }
  var hasPart: Bool { FileManager.default.fileExists(atPath: path + ".part") }

  static func size(of path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue
  }

  /// Serves the same with other faults, and forgets the log.
  func serve(faults: [JSONValue]) throws {
    try hub.serve(Self.repositories(spec), faults: faults)
  }
}

/// One fault of the server that has the bytes.
func fault(
  _ kind: String, _ values: JSONValue = [:], times: Int = 1, skip: Int = 0, server: String = "cdn"
) -> JSONValue {
  var members: [(String, JSONValue)] = [
    ("match", "model.gguf"), ("kind", .string(kind)), ("times", .integer(times)),
    ("skip", .integer(skip)), ("server", .string(server)),
  ]
  for (key, value) in values.objectValue ?? JSONObject() { members.append((key, value)) }
  return .members(members)
}
