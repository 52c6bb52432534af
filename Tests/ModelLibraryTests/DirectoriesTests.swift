import Foundation
import Glibc
import ModelLibrary
import Testing

@Suite struct DirectoriesTests {
  @Test func followXDG() {
    let defaults = Directories { ["HOME": "/home/me"][$0] }
    #expect(defaults.models == "/home/me/.local/share/pipit/models")
    #expect(defaults.conversations == "/home/me/.local/share/pipit/conversations")
    #expect(defaults.config == "/home/me/.config/pipit/config.json")
    #expect(defaults.prepared == "/home/me/.cache/pipit/prepared")
    #expect(defaults.sessions == "/home/me/.cache/pipit/sessions")
    let own = Directories {
      ["HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "relative"][$0]
    }
    #expect(own.models == "/d/pipit/models")
    #expect(own.config == "/h/.config/pipit/config.json")
  }

  @Test func oneVariablePutsAllInOnePlace() {
    let one = Directories { ["PIPIT_HOME": "/p", "XDG_DATA_HOME": "/d"][$0] }
    #expect(one.models == "/p/models")
    #expect(one.config == "/p/config.json")
    #expect(one.sessions == "/p/sessions")
    #expect(Directories { ["PIPIT_HOME": "", "HOME": "/h"][$0] }.config.hasPrefix("/h/"))
  }

  /// The list of users knows where HOME does not.
  @Test(arguments: [nil, "", "relative"] as [String?])
  func withoutHome(_ home: String?) throws {
    let user = unsafe getpwuid(getuid())
    let folder = try #require(unsafe user.map { unsafe String(cString: $0.pointee.pw_dir) })
    let directories = Directories { $0 == "HOME" ? home : nil }
    #expect(directories.models == folder + "/.local/share/pipit/models")
    try HomeFolder.require { _ in nil }
  }

  @Test(arguments: [
    ("/a/b", "/a"), ("/a", "/"), ("/", "/"), ("a", "."), ("a/b/", "a"), ("", "."),
  ])
  func parents(_ path: String, _ parent: String) {
    #expect(path.parentPath == parent)
  }

  @Test func filesAndFoldersArePrivate() throws {
    let scratch = try Scratch()
    let path = scratch.path + "/a/b/c.txt"
    try PrivateFiles.write(Data("x".utf8), to: path)
    try PrivateFiles.append(Data("y".utf8), to: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "xy")
    #expect(try scratch.mode("a/b/c.txt") == 0o600)
    #expect(try scratch.mode("a/b") == 0o700)
    #expect(try scratch.mode("a") == 0o700)
    #expect(throws: LibraryError.self) {
      try PrivateFiles.write(Data("x".utf8), to: path + "/below-a-file")
    }
  }
}

/// A folder that goes away with its test.
final class Scratch {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "pipit-library-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func write(_ text: String, to name: String) throws {
    let file = URL(filePath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func mode(_ name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }
}
