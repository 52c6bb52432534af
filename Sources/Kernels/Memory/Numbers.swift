/// The version of the rules by which numbers are computed (ARCHITECTURE.md, "Numbers").
///
/// Part of every cache's key: what was computed by other rules is not what would be computed now.
package let numericsVersion = 2

/// The version of the form that weights are prepared in: which rows a matrix has, how tiles are laid out.
///
/// Part of the key of every file of prepared weights.
package let preparedVersion = 1
