/// Where Pipit keeps things: the XDG directories, or everything under `PIPIT_HOME`.
package struct Directories: Sendable, Hashable {
  /// Installed models, one folder each.
  package let models: String
  /// Models that came with the program, one folder each.
  package let bundled: String
  package let conversations: String
  /// What was typed, for the line editor.
  package let history: String
  package let config: String
  /// The user's own catalogs.
  package let catalogs: String
  package let prepared: String
  package let sessions: String
  /// Markers of loads under way, and of those that killed the process.
  package let loads: String

  /// The directories that the environment names; a relative XDG value is ignored, as XDG asks.
  package init(environment: (String) -> String?) {
    let home = HomeFolder.path(environment) ?? ""
    func base(_ variable: String, _ fallback: String) -> String {
      if let path = environment(variable), path.hasPrefix("/") { return path }
      return home + "/" + fallback
    }
    var data = base("XDG_DATA_HOME", ".local/share") + "/pipit"
    var configuration = base("XDG_CONFIG_HOME", ".config") + "/pipit"
    var cache = base("XDG_CACHE_HOME", ".cache") + "/pipit"
    if let all = environment("PIPIT_HOME"), !all.isEmpty {
      data = all
      configuration = all
      cache = all
    }
    models = data + "/models"
    bundled = data + "/bundled"
    conversations = data + "/conversations"
    history = data + "/history"
    config = configuration + "/config.json"
    catalogs = configuration + "/catalog.d"
    prepared = cache + "/prepared"
    sessions = cache + "/sessions"
    loads = cache + "/loads"
  }
}

extension String {
  /// Of a path: the path of the folder that holds this path.
  package var parentPath: String {
    var path = self[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
