import JSON
import TestSupport
import Testing
import Weights

@Suite struct JSONFileTests {
  @Test func aFileThatIsNoJSONIsNamed() throws {
    let directory = try ScratchDirectory()
    let path = try directory.write("config.json", "{\"a\": }")
    let error = WeightsError.invalid(
      file: path, .json(JSONError(offset: 6, reason: .unexpected(0x7D))))
    #expect(throws: error) { try JSONReader.read(path: path) }
    #expect(
      "\(error)"
        == "\(path) is damaged: the JSON text has an unexpected \"}\" at byte 6.")
  }
}
