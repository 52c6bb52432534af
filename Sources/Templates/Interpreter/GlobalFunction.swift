/// The functions a template finds by name without having defined them.
enum GlobalFunction: String, Sendable, CaseIterable {
  case raiseException = "raise_exception"
  case strftimeNow = "strftime_now"
  case range
  case namespace
  case dict
  case joiner
  case cycler
}
