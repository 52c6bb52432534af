import Glibc

/// The user's own folder.
package enum HomeFolder {
  /// What HOME says if it is an absolute path, else what the list of users does; nil where neither
  /// knows, as in a container whose user is only a number.
  static func path(_ environment: (String) -> String?) -> String? {
    if let home = environment("HOME"), home.hasPrefix("/") { return home }
    guard let user = unsafe getpwuid(getuid()), let folder = unsafe user.pointee.pw_dir else {
      return nil
    }
    let path = unsafe String(cString: folder)
    return path.hasPrefix("/") ? path : nil
  }

  /// Whether everything has a place.
  ///
  /// - Throws: `LibraryError.noHome`.
  package static func require(_ environment: (String) -> String?) throws(LibraryError) {
    guard environment("PIPIT_HOME")?.isEmpty ?? true, path(environment) == nil else { return }
    let others = ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"]
    guard others.allSatisfy({ environment($0)?.hasPrefix("/") == true }) else { throw .noHome }
  }
}
