// Tokenizers
