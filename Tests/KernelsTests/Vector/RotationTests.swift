import Foundation
import Kernels
import Testing

@Suite struct RotationTests {
  @Test(arguments: [(64, 64), (80, 80), (256, 64), (6, 4), (34, 34)])
  func turnsPairsByPositionTimesFrequency(headDimension: Int, dimensions: Int) throws {
    let angles = RotaryAngles(
      frequencies: RotaryAngles.frequencies(base: 10_000, dimensions: dimensions),
      amplitude: 1.25, capacity: 4)
    angles.prepare(positions: 30_000..<30_003)
    let x = FloatRows.random(
      rows: 3, columns: 2 * headDimension, stride: 2 * headDimension + 1, seed: 17)
    var first: [UInt32]?
    for compute in try computes() {
      let turned = FloatRows.random(
        rows: 3, columns: 2 * headDimension, stride: 2 * headDimension + 1, seed: 17)
      compute.rotate(turned, heads: 2, headDimension: headDimension, table: angles)
      for row in 0..<3 {
        for column in 0..<2 * headDimension {
          let (head, element) = column.quotientAndRemainder(dividingBy: headDimension)
          guard element < dimensions else {
            #expect(turned[row, column] == x[row, column])
            continue
          }
          let half = dimensions / 2
          let pair = element % half
          let angle = Double(Float(30_000 + row) * angles.frequencies[pair])
          let a = Double(x[row, head * headDimension + pair])
          let b = Double(x[row, head * headDimension + pair + half])
          let truth =
            element < half ? a * cos(angle) - b * sin(angle) : b * cos(angle) + a * sin(angle)
          #expect(abs(Double(turned[row, column]) - 1.25 * truth) < 1e-6)
        }
      }
      let bits = bitPatterns(turned.elements)
      #expect(bits == first ?? bits)
      first = bits
    }
  }

  @Test func aTableFollowsItsPositions() {
    let angles = RotaryAngles(frequencies: [1, 0.5], capacity: 2)
    angles.prepare(positions: 5..<7)
    #expect(angles.positions == 5..<7)
    angles.prepare(positions: 9..<10)
    #expect(angles.positions == 9..<10)
    #expect(angles.dimensions == 4)
  }
}
