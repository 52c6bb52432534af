/// The candidate that a mistyped name most likely meant; nil when nothing comes near.
///
/// Three letters or more that only one candidate begins with mean that one. Near is an edit
/// distance (insert, delete, replace, swap two neighbours) of at most half the length of the name,
/// and at most 3. Ties go to the earlier candidate.
package func nearestName(to name: String, in candidates: [String]) -> String? {
  let folded = name.lowercased()
  let wanted = Array(folded)
  if wanted.count >= 3 {
    let longer = candidates.filter { $0.lowercased().hasPrefix(folded) }
    if longer.count == 1 { return longer[0] }
  }
  let limit = min(3, max(1, wanted.count / 2))
  var best: (name: String, distance: Int)?
  for candidate in candidates {
    let distance = editDistance(wanted, Array(candidate.lowercased()))
    if distance <= limit, distance < best?.distance ?? Int.max {
      best = (candidate, distance)
    }
  }
  return best?.name
}

/// The optimal-string-alignment distance, in O(a·b).
func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
  var beforeLast = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  for i in 1...a.count {
    var current = [i] + [Int](repeating: 0, count: b.count)
    for j in 1...b.count {
      let replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
      current[j] = min(replaced, last[j] + 1, current[j - 1] + 1)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        current[j] = min(current[j], beforeLast[j - 2] + 1)
      }
    }
    (beforeLast, last) = (last, current)
  }
  return last[b.count]
}
