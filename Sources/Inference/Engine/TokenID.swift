/// The number of a token in its model's vocabulary.
package typealias TokenID = Int32
