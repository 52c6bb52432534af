/// Stores float32 as they are, `stride` elements apart.
package func storeFloat32(
  _ source: UnsafePointer<Float>, count: Int, _ target: UnsafeMutablePointer<Float>, stride: Int
) {
  var index = 0
  while index < count {
    target[index &* stride] = source[index]
    index &+= 1
  }
}
