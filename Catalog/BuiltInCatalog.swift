/// The menu that this build carries.
package enum BuiltInCatalog {
  /// The bytes of models.json.
  package static var bytes: [UInt8] { PackageResources.models_json }
}
