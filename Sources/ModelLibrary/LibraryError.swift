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
  /// On the menu under a name, and not here; `request` is what pulls it.
  case notPulled(name: String, request: String, byteCount: Int, isEstimate: Bool)
  /// A repository of the Hub where a model that is here or on the menu has to be; `request` is what
  /// pulls it.
  case onHub(name: String, request: String)
  case nothingInstalled
  case severalInstalled([String])
  /// The model that config.json names is gone.
  case defaultMissing(name: String, config: String)
  case invalidConfig(path: String, reason: String)
  case cannotWrite(path: String, code: Int32)
  case cannotRead(path: String, code: Int32)
  case tooLong(path: String, limit: Int)
  case notInCatalog(name: String, nearest: String?)
  case noSuchVariant(model: String, variant: String, known: [String])
  /// Something else has the name already.
  case nameTaken(name: String)
  /// A name that cannot be a folder's.
  case badName(String)
  /// Another process is installing it.
  case busy(name: String)
  case nothingToRestore(name: String)
  /// A model that comes with the program is not where it should be, and is nowhere else.
  case bundledMissing(name: String, folder: String)
  /// Neither the environment nor the list of users has a folder for the user.
  case noHome
}
