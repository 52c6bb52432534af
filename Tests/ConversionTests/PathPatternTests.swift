import Conversion
import Testing

@Suite struct PathPatternTests {
  @Test(arguments: [
    ("lm_head", "lm_head", true), ("lm_head", "model.lm_head", false),
    ("*lm_head", "lm_head", true),
    ("*.down_proj", "model.layers.3.mlp.down_proj", true),
    ("*.down_proj", "model.layers.3.mlp.down_proj2", false),
    ("model.layers.?.mlp.*", "model.layers.3.mlp.up_proj", true),
    ("model.layers.?.mlp.*", "model.layers.13.mlp.up_proj", false),
    ("*a*b*c", "xxaxxbxxbxc", true), ("*a*b*c", "xxaxxcxxbx", false), ("*", "", true),
    ("", "", true),
    ("", "x", false), ("**x", "x", true), ("?", "", false),
  ]) func matching(pattern: String, path: String, isMatch: Bool) {
    #expect(PathPattern(pattern).matches(path) == isMatch)
  }

  @Test func manyStarsTakeNoExponentialTime() {
    let pattern = PathPattern(String(repeating: "*a", count: 40) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 4000)))
  }
}
