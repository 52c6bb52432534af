import Glibc
import Inference

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
      No model named '\(name)' is installed; 'pipit models list' shows those that are, and those \
      that can be.
      """
    case .notPulled(let name, let request, let bytes, let isEstimate):
      """
      The model '\(name)' is not installed; 'pipit models pull \(request)' gets it \
      (\(isEstimate ? "about " : "")\(ByteCount.text(bytes))).
      """
    case .onHub(let name, let request):
      """
      '\(name)' is neither installed nor on the menu; 'pipit models pull \(request)' gets it from \
      the Hugging Face Hub.
      """
    case .nothingInstalled:
      """
      No model is installed; 'pipit models pull smollm2-135m' installs a small one, \
      'pipit models list' shows more, and 'pipit -m FILE.gguf' uses one that you have.
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
    case .cannotWrite(let path, let code): "\(path) could not be written: \(Self.words(code))."
    case .cannotRead(let path, let code): "\(path) could not be read: \(Self.words(code))."
    case .tooLong(let path, let limit):
      "\(path) is longer than \(ByteCount.text(limit)), which is more than it can be."
    case .notInCatalog(let name, let nearest?):
      "There is no model '\(name)' on the menu; did you mean '\(nearest)'?"
    case .notInCatalog(let name, nil):
      """
      There is no model '\(name)' on the menu; 'pipit models list' shows it, and \
      'pipit models search \(name)' looks on the Hugging Face Hub.
      """
    case .noSuchVariant(let model, let variant, let known):
      "\(model) has no variant '\(variant)'; it has \(known.joined(separator: ", "))."
    case .nameTaken(let name):
      "A model named '\(name)' is installed already; 'pipit models rm \(name)' removes it."
    case .badName(let name): "'\(name)' cannot be a model's name."
    case .busy(let name): "Another pipit is working on '\(name)'."
    case .nothingToRestore(let name):
      "There is no removed model '\(name)' to bring back."
    case .bundledMissing(let name, let folder):
      """
      '\(name)' comes with Pipit and is nowhere else; it should be in \(folder), where \
      Scripts/quickstart puts it.
      """
    case .noHome:
      """
      There is no folder to keep things in: HOME is not set and the system has no folder for this \
      user; set HOME or PIPIT_HOME.
      """
    }
  }

  private static func words(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
