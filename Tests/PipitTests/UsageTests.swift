import Testing

/// Command lines that are not understood: exit 2 and a sentence that helps.
@Suite struct UsageTests {
  @Test(arguments: [
    (["run", "--bogus", "x"], "There is no option --bogus."),
    (["run", "--temprature", "0", "x"], "did you mean --temperature?"),
    (["run", "--topk=3", "x"], "did you mean --top-k?"),
    (["run", "--temp", "0.5", "x"], "did you mean --temperature?"),
    (["--temp", "0.5", "x"], "'pipit help run'"),
    (["bench", "--tex", "x"], "There is no option --tex.\n'pipit help bench'"),
    (["run", "-x"], "There is no option -x."),
    (["run", "x", "--model"], "--model needs a value: --model MODEL."),
    (["run", "x", "--model", "--json"], "--model needs a value"),
    (["run", "--json=yes", "x"], "--json takes no value, but got 'yes'."),
    (["run", "--top-p", "1.5", "x"], "--top-p takes a number from 0 to 1, not '1.5'."),
    (["run", "--top-k", "many", "x"], "--top-k takes a whole number, not 'many'."),
    (["run", "--top-k", "-1", "x"], "--top-k takes a whole number of at least 0, not '-1'."),
    (["run", "--temperature", "nan", "x"], "--temperature takes a number, not 'nan'."),
    (["run", "-n", "0", "x"], "-n takes a whole number of at least 1, not '0'."),
    (["run", "-n", "99999999999999999999", "x"], "-n takes a whole number"),
    (["run", "--backend", "cuda", "x"], "--backend takes simd or blas, not 'cuda'."),
    (["run", "--kv-bits", "2", "x"], "--kv-bits takes 32, 16, 8, 8/4, 4/8 or 4, not '2'."),
    (["run", "--threads", "0", "x"], "from 1 to 1024"),
    (["run", "--color", "pink", "x"], "auto, always or never"),
    (["run", "--seed", "-1", "x"], "a whole number from 0 to 18446744073709551615, not '-1'."),
    (["run", "--stop", "", "x"], "--stop takes a text that is not empty"),
    (["run", "--think", "--no-think", "x"], "--think and --no-think exclude each other."),
    (["run", "--json", "--ndjson", "x"], "exclude each other"),
    (["models", "--temperature", "0"], "--temperature is not an option of 'pipit models'."),
    (["chta"], "did you mean 'pipit chat'?"),
    (["hello"], "'pipit run hello'"),
    (["modles", "list"], "did you mean 'pipit models'?"),
    (["histry", "show", "it's"], "write pipit run 'histry show it'\\''s'\n"),
    (["chat", "about", "birds"], "'pipit chat' does not take 'about'."),
    (["help", "chta"], "did you mean 'pipit chat'?"),
    (["models", "lst"], "did you mean 'list'?"),
    (["models", "path", "a", "b"], "does not take 'b'"),
    (["logits", "tiny", "--out", "x"], "'pipit logits' needs --tokens IDS."),
    (["logits", "tiny", "--tokens", "1,2"], "'pipit logits' needs --out FILE."),
    (["logits", "tiny", "--tokens", "1,b", "--out", "x"], "--tokens takes token ids"),
    (["template", "tiny"], "'pipit template' needs --input FILE."),
    (["inspect", "one", "-m", "two"], "Only one model can be named, not 'one' and with -m 'two'."),
    (["bench", "one", "-m", "two"], "Only one model"),
    (["tokenize", "one", "-m", "two"], "Only one model"),
    (["perplexity", "one", "text", "-m", "two"], "Only one model"),
    (
      ["template", "--template-file", "x", "--input", "-", "-m", "two"],
      "--template-file and --model exclude each other."
    ),
    (["run"], "There is no prompt"),
    ([], "There is no prompt"),
    (["run", "", " "], "There is no prompt"),
  ])
  func isRefused(_ arguments: [String], _ sentence: String) throws {
    let outcome = try BuiltBinary().run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.errorText.contains(sentence), "\(outcome.errorText)")
    #expect(outcome.errorText.hasPrefix("pipit: "))
    #expect(outcome.output.isEmpty)
    #expect(outcome.errorText.contains("'pipit help"))
  }

  @Test func binaryStandardInputIsRefused() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["x"]]}"#)
    let zero = try binary.run(["run", "x"], input: .init([0x61, 0, 0x62]))
    #expect(zero.code == 2)
    #expect(zero.errorText.contains("byte 1 is zero"))
    let invalid = try binary.run(["run", "x"], input: .init([0xE4, 0xB8, 0x96, 0xFF]))
    #expect(invalid.code == 2)
    #expect(invalid.errorText.contains("byte 3 is invalid"))
    // A chat's line too, with its place in the whole, after the replies to those before.
    let chat = try binary.run(["chat"], input: .init([0x61, 0x0A, 0x62, 0xFF, 0x0A]))
    #expect(chat.code == 2)
    #expect(chat.outputText == "x\n")
    #expect(chat.errorText.contains("byte 3 is invalid"))
    let zeroInChat = try binary.run(["chat"], input: .init([0x61, 0x0A, 0x62, 0, 0x0A]))
    #expect(zeroInChat.code == 2)
    #expect(zeroInChat.errorText.contains("byte 3 is zero"))
    let argument = try binary.shell(#"exec "$PIPIT" run "$(printf 'ab\377')""#)
    #expect(argument.code == 2)
    #expect(argument.errorText.contains("Argument 2 is not UTF-8 text: byte 2 is invalid."))
    let cut = try binary.run(["run", "x"], input: .init([0x61, 0xE4, 0xB8]))
    #expect(cut.code == 2)
    #expect(cut.errorText.contains("byte 1 is invalid"))
  }
}
