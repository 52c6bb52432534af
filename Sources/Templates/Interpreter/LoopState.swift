/// What `loop` knows during a `for`.
struct LoopState {
  var items: [TemplateValue]
  var index = 0
  /// What `loop.changed` was last asked about.
  var lastChanged: [TemplateValue]?

  /// The value of `loop.name`, nil when there is no such attribute.
  func attribute(_ name: String, depth: Int) -> TemplateValue? {
    switch name {
    case "index0": .int(index)
    case "index": .int(index + 1)
    case "revindex0": .int(items.count - index - 1)
    case "revindex": .int(items.count - index)
    case "first": .bool(index == 0)
    case "last": .bool(index + 1 == items.count)
    case "length": .int(items.count)
    case "depth": .int(depth)
    case "depth0": .int(depth - 1)
    case "previtem": index > 0 ? items[index - 1] : .undefined("there is no previous item")
    case "nextitem":
      index + 1 < items.count ? items[index + 1] : .undefined("there is no next item")
    default: nil
    }
  }
}
