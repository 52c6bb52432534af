/// The version of the rules by which numbers are computed (ARCHITECTURE.md, "Numbers").
///
/// Part of every cache's key: what was computed by other rules is not what would be computed now.
package let numericsVersion = 2
