/// What is measured, from the command line.
struct Options {
  var threads = 2
  var megabytes = 128
  var tokens = 64
  /// Inputs of a matrix; below 1,024 activations are in groups of 16.
  var columns = 2_048
  var only: String?
  var model = false
  /// Positions of a context whose attention is measured instead of products.
  var attention: Int?

  init(_ arguments: [String]) {
    var index = 1
    while index + 1 < arguments.count {
      let value = arguments[index + 1]
      switch arguments[index] {
      case "--threads": threads = Int(value) ?? threads
      case "--megabytes": megabytes = Int(value) ?? megabytes
      case "--tokens": tokens = Int(value) ?? tokens
      case "--columns": columns = Int(value) ?? columns
      case "--only": only = value
      case "--attention": attention = Int(value)
      case "--model": model = value == "yes"
      default: break
      }
      index += 2
    }
  }
}
