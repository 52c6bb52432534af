import FoundationEssentials
import Glibc
package import JSON

/// A Hugging Face Hub on this machine, with faults on request: `fakehub.py`.
///
/// One test drives it, from one thread.
package final class FakeHub: @unchecked Sendable {
  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private var buffer: [UInt8] = []
  private let hubPort: Int
  private let cdnPort: Int
  private let isEncrypted: Bool

  package struct Failure: Error { package let reason: String }

  /// Starts it; with the paths of a certificate and its key the hub speaks TLS.
  package init(certificate: (path: String, key: String)? = nil) throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "fakehub.py").path
    var toChild: [Int32] = [0, 0]
    var fromChild: [Int32] = [0, 0]
    guard unsafe pipe(&toChild) == 0, unsafe pipe(&fromChild) == 0 else {
      throw Failure(reason: "pipe")
    }
    for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    let words = ["python3", script] + (certificate.map { [$0.path, $0.key] } ?? [])
    let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let code = unsafe posix_spawnp(&process, "python3", &actions, nil, arguments, environ)
    close(toChild[0])
    close(fromChild[1])
    guard code == 0 else { throw Failure(reason: "python3 did not start: \(code)") }
    self.process = process
    input = toChild[1]
    output = fromChild[0]
    isEncrypted = certificate != nil
    let ports = try Self.readLine(output, &buffer)
    guard let hub = ports["hub"]?.intValue, let cdn = ports["cdn"]?.intValue else {
      throw Failure(reason: "no ports")
    }
    hubPort = hub
    cdnPort = cdn
  }

  deinit {
    close(input)
    close(output)
    kill(process, SIGKILL)
    var status: Int32 = 0
    unsafe waitpid(process, &status, 0)
  }

  /// What HF_ENDPOINT is to be.
  package var endpoint: String {
    isEncrypted ? "https://localhost:\(hubPort)" : "http://127.0.0.1:\(hubPort)"
  }

  /// The other server, by another name of this machine.
  package var elsewhere: String { "http://localhost:\(cdnPort)" }

  /// Replaces what is served, and gives the SHA-256 of each file by `repository/path`.
  @discardableResult
  package func serve(
    _ repositories: JSONValue, faults: [JSONValue] = []
  ) throws -> [String: String] {
    let answer = try ask(["repositories": repositories, "faults": .array(faults)])
    var digests: [String: String] = [:]
    for (path, digest) in answer.objectValue ?? JSONObject() {
      digests[path] = digest.stringValue
    }
    return digests
  }

  /// The SHA-256 of each part of a file.
  package func chunkDigests(of file: JSONValue, size: Int) throws -> [String] {
    try ask(["chunks": file, "size": .integer(size)]).arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// Every request since the last `serve`.
  package func log() throws -> [Request] {
    (try ask(["log": true]).arrayValue ?? []).map { row in
      Request(
        server: row["server"]?.stringValue ?? "", path: row["path"]?.stringValue ?? "",
        range: row["range"]?.stringValue, condition: row["if_range"]?.stringValue,
        authorization: row["authorization"]?.stringValue, sent: row["sent"]?.intValue ?? 0)
    }
  }

  package struct Request: Sendable {
    /// `hub` or `cdn`.
    package let server: String
    package let path: String
    package let range: String?
    package let condition: String?
    package let authorization: String?
    /// Bytes of the file that were sent.
    package let sent: Int
  }

  private func ask(_ request: JSONValue) throws -> JSONValue {
    var bytes = Array((request.text + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe write(input, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failure(reason: "the hub has ended") }
      bytes = bytes.dropFirst(count)
    }
    return try Self.readLine(output, &buffer)
  }

  private static func readLine(_ descriptor: Int32, _ buffer: inout [UInt8]) throws -> JSONValue {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        let line = Array(buffer[..<end])
        buffer.removeSubrange(...end)
        return try JSONReader.read(line)
      }
      let count = unsafe read(descriptor, &block, block.count)
      guard count > 0 else { throw Failure(reason: "the hub has ended") }
      buffer += block[..<count]
    }
  }
}
