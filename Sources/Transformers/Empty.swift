// Transformers
