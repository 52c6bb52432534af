import JSON

extension ModelStamp {
  init?(json: JSONObject) {
    guard let name = json["name"]?.stringValue else { return nil }
    func count(_ key: String) -> Int { json[key]?.intValue ?? 0 }
    self.init(
      name: name, architecture: json["architecture"]?.stringValue ?? "",
      parameterCount: count("parameters"), byteCount: count("bytes"),
      vocabularyCount: count("vocabulary"), digest: json["digest"]?.stringValue)
  }

  var json: JSONObject {
    var members: [(String, JSONValue)] = [
      ("name", .string(name)), ("architecture", .string(architecture)),
      ("parameters", .integer(parameterCount)), ("bytes", .integer(byteCount)),
      ("vocabulary", .integer(vocabularyCount)),
    ]
    if let digest { members.append(("digest", .string(digest))) }
    return JSONObject(members)
  }
}
