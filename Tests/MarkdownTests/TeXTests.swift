import Markdown
import Testing

@Suite struct TeXTests {
  @Test(arguments: [
    (#"\(x^2 + y_1 = \alpha\)"#, "x² + y₁ = α"),
    (#"$e^{i\pi}+1=0$"#, "e^(iπ)+1=0"),
    (#"\frac{1}{2}"#, "½"),
    (#"\frac{a+b}{c}"#, "(a+b)/c"),
    (#"\sqrt{x}, \sqrt[3]{x+1}"#, "√x, ∛(x+1)"),
    (#"\sum_{i=1}^{n} i = \frac{n(n+1)}{2}"#, "∑ᵢ₌₁ⁿ i = (n(n+1))/2"),
    (#"\sin\theta \cdot \log_2 n"#, "sin θ · log₂ n"),
    (#"\mathbb{R}^n \to \text{reals}"#, "ℝⁿ → reals"),
    (#"90^\circ"#, "90°"),
    (#"\begin{aligned} a &= b \\ c &= d \end{aligned}"#, "a = b\nc = d"),
    (#"\left( \frac{x}{y} \right)"#, "( x/y )"),
    (#"x - 1"#, "x − 1"),
  ])
  func saysItInCharacters(_ source: String, _ expected: String) {
    #expect(TeX.unicode(of: source) == expected)
  }

  @Test(arguments: [
    #"\begin{pmatrix} a & b \end{pmatrix}"#, #"\unknown{x}"#, #"\frac{a"#, #"a}b"#, #"\hat{abc}"#,
    String(repeating: "{", count: 500),
  ])
  func leavesTheRestAsItIs(_ source: String) {
    #expect(TeX.unicode(of: source) == nil)
  }

  @Test(arguments: [
    ("It costs $5 and $10.", "It costs $5 and $10."),
    ("From $5-$10 or A$3 and US$4.", "From $5-$10 or A$3 and US$4."),
    ("`$x$` and $x$", "$x$ and x"),
    (
      #"A matrix \(\begin{pmatrix}1\end{pmatrix}\)."#,
      #"A matrix \(\begin{pmatrix}1\end{pmatrix}\)."#
    ),
    (#"so \(a_1 * b_1 * c_1\)"#, "so a₁ ∗ b₁ ∗ c₁"),
    (#"still open \(x^2"#, "still open x²"),
  ])
  func isFoundInText(_ source: String, _ expected: String) {
    let text = LayoutTests.text(source).joined(separator: "\n")
    #expect(text == expected || text.hasSuffix(expected))
  }

  @Test func isNotFoundInCode() {
    #expect(LayoutTests.text("```\n$x^2$\n```")[1] == "$x^2$")
    #expect(LayoutTests.text("`$x^2$`", hasStyles: false) == ["`$x^2$`"])
  }
}
