import Glibc

/// Why a model could not be found, or the library's own files not be used.
package enum LibraryError: Error, Equatable {
  /// A path was given and nothing is there.
  case noSuchFile(path: String)
  /// A folder that holds neither a GGUF file nor a checkpoint.
  case notAModel(path: String)
  /// A folder of which more than one file could be meant.
  case severalFiles(path: String, [String])
  case notInstalled(name: String, nearest: String?)
  case nothingInstalled
  case severalInstalled([String])
  /// The model that config.json names is gone.
  case defaultMissing(name: String, config: String)
  case invalidConfig(path: String, reason: String)
  case cannotWrite(path: String, code: Int32)
}

extension LibraryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSuchFile(let path): "There is no model at \(path)."
    case .notAModel(let path):
      "\(path) is not a model: it holds neither a GGUF file nor a config.json with weights."
    case .severalFiles(let path, let names):
      "\(path) holds several models (\(names.joined(separator: ", "))); name one by its path."
    case .notInstalled(let name, let nearest?):
      "No model named '\(name)' is installed; did you mean '\(nearest)'?"
    case .notInstalled(let name, nil):
      """
      No model named '\(name)' is installed; 'pipit models list' shows those that are, and \
      Scripts/quickstart installs the default one.
      """
    case .nothingInstalled:
      """
      No model is installed; Scripts/quickstart installs the default one, and \
      'pipit -m FILE.gguf' uses one that you have.
      """
    case .severalInstalled(let names):
      """
      Several models are installed (\(names.joined(separator: ", "))); choose one with -m, or \
      for good with 'pipit models default \(names.first ?? "NAME")'.
      """
    case .defaultMissing(let name, let config):
      """
      The model '\(name)' that \(config) names is not installed; choose another with \
      'pipit models default NAME', or use -m.
      """
    case .invalidConfig(let path, let reason): "\(path) is not valid: \(reason)."
    case .cannotWrite(let path, let code):
      unsafe "\(path) could not be written: \(String(cString: strerror(code)))."
    }
  }
}
