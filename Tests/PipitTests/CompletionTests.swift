import Foundation
import Testing

@Suite struct CompletionTests {
  static let shells = ["bash", "zsh", "fish"]

  /// Names and flags as the help pages have them.
  private static func flags(_ page: String) -> Set<String> {
    var names: Set<String> = []
    for line in page.split(separator: "\n") where line.hasPrefix("  ") {
      let cell = line.drop { $0 == " " }
      guard cell.hasPrefix("-"), line.prefix(7).contains("-") else { continue }
      for name in cell.split(whereSeparator: { " ,".contains($0) }).prefix(2)
      where name.hasPrefix("-") { names.insert(String(name)) }
    }
    return names
  }

  @Test(arguments: shells)
  func everyCommandAndFlagIsThere(_ shell: String) throws {
    let binary = try BuiltBinary()
    let script = try binary.run("completions", shell)
    #expect(script.code == 0)
    let words = Set(
      script.outputText.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init))
    for command in BuiltBinary.commands {
      #expect(words.contains(command), "\(command)")
      for flag in Self.flags(try binary.run("help", command).outputText) {
        if shell == "fish" {
          let option = flag.hasPrefix("--") ? "-l \(flag.dropFirst(2))" : "-s \(flag.dropFirst())"
          let line = script.outputText.split(separator: "\n").first {
            $0.contains("from \(command)'") && $0.contains(" \(option) ")
          }
          #expect(line != nil, "\(flag) of \(command)")
        } else {
          #expect(words.contains(flag), "\(flag) of \(command)")
        }
      }
    }
  }

  /// Zsh and fish where they are installed.
  @Test(arguments: shells)
  func theShellTakesTheScript(_ shell: String) throws {
    let outcome = try BuiltBinary().shell(
      """
      command -v \(shell) >/dev/null || exit 0
      "$PIPIT" completions \(shell) > "$HOME/script" && \(shell) -n "$HOME/script"
      """)
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty, "\(outcome.errorText)")
  }

  /// The words that bash offers at the end of a command line.
  private func offers(_ line: String, in binary: BuiltBinary) throws -> Set<String> {
    let outcome = try binary.shell(
      """
      ln -sf "$PIPIT" "$HOME/pipit"
      PATH="$HOME:$PATH" exec bash -c '
        source <(pipit completions bash)
        COMP_WORDS=(\(line)) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _pipit
        printf "%s\\n" "${COMPREPLY[@]}"'
      """)
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty, "\(outcome.errorText)")
    return Set(outcome.outputText.split(separator: "\n").map(String.init))
  }

  @Test(arguments: [
    ("pipit ru", ["run"]),
    ("pipit run --back", ["--backend"]),
    ("pipit run --backend \"\"", ["simd", "blas"]),
    ("pipit run --backend = s", ["simd"]),
    ("pipit run --backend =", ["simd", "blas"]),
    ("pipit bench --threads a", ["auto"]),
    ("pipit run --kv-bits \"\"", ["32", "16", "8", "8/4", "4/8", "4"]),
    (
      "pipit models \"\"",
      ["list", "show", "pull", "search", "add", "rm", "verify", "gc", "path", "default"]
    ),
    ("pipit completions z", ["zsh"]),
    ("pipit help compl", ["completions"]),
    ("pipit template --template-file \"\"", []),
    ("pipit --quiet run --no-t", ["--no-think"]),
    ("pipit models --temp", []),
    ("pipit run -m \"\"", ["tiny"]),
    ("pipit history sh", ["show"]),
    ("pipit history list \"\"", []),
    ("pipit models rm \"\"", ["tiny"]),
    ("pipit models --yes default \"\"", ["tiny"]),
    ("pipit models pull smollm2-1", ["smollm2-135m"]),
    ("pipit models list \"\"", []),
    ("pipit models add \"\"", []),
    ("pipit bench \"\"", ["tiny"]),
    ("pipit -c 512 bench -p 8 ti", ["tiny"]),
    ("pipit inspect ti", ["tiny"]),
    ("pipit fit bonsai-1", ["bonsai-1.7b"]),
    ("pipit convert ti", ["tiny"]),
    ("pipit perplexity ti", ["tiny"]),
    ("pipit perplexity tiny \"\"", []),
    ("pipit completions bash \"\"", []),
  ])
  func bashOffers(_ line: String, _ words: [String]) throws {
    let binary = try BuiltBinary()
    try binary.install("tiny")
    #expect(try offers(line, in: binary) == Set(words))
  }

  @Test(arguments: [
    "pipit run --conversation \"\"", "pipit history show \"\"", "pipit chat --conversation = ",
  ])
  func bashOffersConversations(_ line: String) throws {
    let binary = try BuiltBinary(script: #"{"replies": [["ok"]]}"#)
    for text in ["one", "two: a title"] { #expect(try binary.run("run", "--save", text).code == 0) }
    let ids = Set(try binary.conversations.map { String($0.prefix(8)) })
    #expect(try offers(line, in: binary) == ids)
  }

  /// The others show titles too.
  @Test func fishOffersConversations() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["ok"]]}"#)
    #expect(try binary.run("run", "--save", "two: a title").code == 0)
    let outcome = try binary.shell(
      """
      command -v fish >/dev/null || exit 0
      ln -sf "$PIPIT" "$HOME/pipit"; export PATH="$HOME:$PATH"
      fish -c 'pipit completions fish | source
        complete -C "pipit run --conversation "; complete -C "pipit history show "'
      echo ran
      """)
    guard outcome.outputText.hasSuffix("ran\n") else { return }
    let id = try #require(try binary.conversations.first?.prefix(8))
    #expect(outcome.outputText == "\(id)\ttwo: a title\n\(id)\ttwo: a title\nran\n")
  }

  @Test(arguments: [
    ("models rm ", ["tiny"]), ("models pull smollm2-1", ["smollm2-135m"]), ("bench ti", ["tiny"]),
    ("models sho", ["show"]), ("help mod", ["models"]),
  ])
  func fishOffers(_ line: String, _ words: [String]) throws {
    let binary = try BuiltBinary()
    try binary.install("tiny")
    let outcome = try binary.shell(
      """
      command -v fish >/dev/null || exit 0
      mkdir "$HOME/empty"; cd "$HOME/empty"
      ln -sf "$PIPIT" "$HOME/pipit"; export PATH="$HOME:$PATH"
      fish -c 'pipit completions fish | source; complete -C "pipit \(line)"'
      echo ran
      """)
    guard outcome.outputText.hasSuffix("ran\n") else { return }
    #expect(outcome.outputText == words.map { $0 + "\n" }.joined() + "ran\n")
  }

  @Test func anotherShellIsRefused() throws {
    let other = try BuiltBinary().run("completions", "tcsh")
    #expect(other.code == 2)
    #expect(other.errorText.contains("takes bash, zsh or fish, not 'tcsh'."))
    let none = try BuiltBinary().run("completions")
    #expect(none.code == 2)
    #expect(none.errorText.contains("bash, zsh or fish"))
  }
}
