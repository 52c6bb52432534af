import Conversations
import Inference
import Testing

@Suite struct SearchTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
  }

  private func titles(_ query: String, limit: Int = 20) async throws -> [String] {
    try await fixture.store.search(query, limit: limit).map(\.summary.title)
  }

  @Test func allWordsMustOccurWhateverTheirCase() async throws {
    try await fixture.keep(["The Rhine", "flows north"], title: "a")
    try await fixture.keep(["the DANUBE", "flows east"], title: "b")
    #expect(try await titles("rhine") == ["a"])
    #expect(try await titles("FLOWS danube") == ["b"])
    #expect(try await Set(titles("flows")) == ["a", "b"])
    #expect(try await titles("rhine danube") == [])
    #expect(try await titles("") == [])
    #expect(try await titles("flows", limit: 1).count == 1)
  }

  @Test(arguments: [
    ("ÉTÉ à Łódź", "été"), ("ПРИВЕТ мир", "привет"), ("日本語の川", "語の川"), ("naïve", "NAÏVE"),
    ("a \"quoted\" word", "\\\"quoted\\\""), ("back\\slash", "back\\slash"), ("Straße", "straße"),
  ])
  func scriptsAndPunctuation(_ text: String, _ query: String) async throws {
    try await fixture.keep([text], title: "t")
    let word = query.replacing("\\\"", with: "")
    #expect(try await titles(word) == ["t"])
  }

  @Test func phrasesStandTogether() async throws {
    try await fixture.keep(["a river delta"], title: "a")
    try await fixture.keep(["delta of a river"], title: "b")
    #expect(try await titles("\"river delta\"") == ["a"])
    #expect(try await Set(titles("river delta")) == ["a", "b"])
  }

  /// The letter of an escape is none of the text.
  @Test func escapesAreNotText() async throws {
    try await fixture.keep(["one\nice\tu2"], title: "t")
    #expect(try await titles("nice") == [])
    #expect(try await titles("ice") == ["t"])
    #expect(try await titles("tokens") == [])
    #expect(try await titles("role") == [])
  }

  @Test func allBranchesAndThoughtsAreSearched() async throws {
    var conversation = Conversation(settings: ChatSettings())
    let question = conversation.tree.append(ChatMessage(.user, "q"), after: nil)
    conversation.tree.append(
      ChatMessage(.assistant, "first", reasoning: "hidden thought"), after: question)
    conversation.tree.append(ChatMessage(.assistant, "second"), after: question)
    let open = try await fixture.store.create(conversation.id)
    let document = conversation.encodeDocument()
    try await fixture.store.write(document, ConversationSummary(conversation), to: open)
    #expect(try await fixture.store.search("first").first?.nodeID == 1)
    let hit = try #require(try await fixture.store.search("hidden").first)
    #expect(hit.nodeID == 1 && hit.snippet.text == "hidden thought")
  }

  @Test func whatFitsBetterComesFirst() async throws {
    try await fixture.keep(
      ["river " + String(repeating: "something else entirely ", count: 50)], title: "long")
    try await fixture.keep(["river river river"], title: "often")
    try await fixture.keep(["sea"], title: "The river")
    #expect(try await titles("river") == ["The river", "often", "long"])
  }

  @Test func snippetsShowWhereItIs() async throws {
    let words = (0..<60).map { "word\($0)" }.joined(separator: " ")
    try await fixture.keep([words + "\n\nthe Needle  here " + words], title: "t")
    let hit = try #require(try await fixture.store.search("needle").first)
    let characters = Array(hit.snippet.text)
    #expect(hit.snippet.matches.map { String(characters[$0]) } == ["Needle"])
    #expect(hit.snippet.text.hasPrefix("… word") && hit.snippet.text.hasSuffix(" …"))
    #expect(hit.snippet.text.contains("the Needle here"))
    #expect(characters.count < 200)
    #expect(hit.matchCount == 1)
    let wide = try #require(try await fixture.store.search("word1").first)
    #expect(wide.snippet.matches.count >= 2)
  }
}
