// Weights
