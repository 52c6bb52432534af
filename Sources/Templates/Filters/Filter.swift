/// The filters Pipit has, by Jinja's names.
enum Filter: String, Sendable, CaseIterable {
  case abs, attr, capitalize, center
  case defaultValue = "default"
  case dictsort, escape, first, float, format, indent, int, items, join, last, length, list
  case lower, map, max, min, reject, rejectattr, replace, reverse, round, safe, select
  case selectattr, sort, string, sum, title, tojson, trim, unique, upper

  init?(named name: String) {
    switch name {
    case "d": self = .defaultValue
    case "count": self = .length
    case "e", "forceescape": self = .escape
    default: self.init(rawValue: name)
    }
  }
}
