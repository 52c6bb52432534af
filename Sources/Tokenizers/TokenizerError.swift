/// Why a definition makes no tokenizer, or a text no tokens.
package enum TokenizerError: Error, Hashable {
  case unknownModel(String)
  case unknownPreTokenizer(String?)
}
