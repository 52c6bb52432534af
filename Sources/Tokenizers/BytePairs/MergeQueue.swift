/// Pairs waiting to be merged: lowest rank first, and of equals the leftmost.
///
/// Each rank has a list of positions, and the ranks whose lists are not empty are in a heap. The
/// lists mostly grow in order, because a rank is worked through from left to right: a list is
/// sorted only if it has become unordered by the time its rank is the lowest. Text that merges
/// forever (a megabyte of one letter) has few ranks and long lists, so nearly everything here is
/// constant time.
struct MergeQueue {
  private struct List {
    var head: Int32 = -1
    var tail: Int32 = -1
    var isOrdered = true
    /// The rank is in `ranks`.
    var isWaiting = false
  }

  private struct Entry {
    var position: Int32
    var next: Int32
  }

  private var lists: [List] = []
  private var entries: [Entry] = []
  private var ranks = MinHeap()
  private var sorting: [Int32] = []

  /// Empties the queue, for ranks below `count`.
  mutating func prepare(ranks count: Int) {
    // Every list is empty once the queue is.
    if lists.count != count {
      lists = [List](repeating: List(), count: count)
    }
    entries.removeAll(keepingCapacity: true)
  }

  mutating func push(rank: UInt32, position: Int32) {
    let index = Int(rank)
    let entry = Int32(truncatingIfNeeded: entries.count)
    let head = lists[index].head
    if head < 0 {
      entries.append(Entry(position: position, next: -1))
      lists[index].head = entry
      lists[index].tail = entry
      lists[index].isOrdered = true
    } else if position <= entries[Int(head)].position {
      entries.append(Entry(position: position, next: head))
      lists[index].head = entry
    } else {
      let tail = Int(lists[index].tail)
      if position < entries[tail].position { lists[index].isOrdered = false }
      entries.append(Entry(position: position, next: -1))
      entries[tail].next = entry
      lists[index].tail = entry
    }
    if !lists[index].isWaiting {
      lists[index].isWaiting = true
      ranks.push(rank)
    }
  }

  mutating func pop() -> (rank: UInt32, position: Int32)? {
    while let rank = ranks.min {
      let index = Int(rank)
      if !lists[index].isOrdered { sort(index) }
      let head = lists[index].head
      if head >= 0 {
        let entry = entries[Int(head)]
        lists[index].head = entry.next
        return (rank, entry.position)
      }
      lists[index].isWaiting = false
      ranks.removeMin()
    }
    return nil
  }

  private mutating func sort(_ index: Int) {
    sorting.removeAll(keepingCapacity: true)
    var entry = lists[index].head
    while entry >= 0 {
      sorting.append(entries[Int(entry)].position)
      entry = entries[Int(entry)].next
    }
    sorting.sort()
    entry = lists[index].head
    for position in sorting {
      entries[Int(entry)].position = position
      entry = entries[Int(entry)].next
    }
    lists[index].isOrdered = true
  }
}

/// A binary heap of integers, least first.
struct MinHeap {
  private var items: [UInt32] = []

  var min: UInt32? { items.first }

  mutating func push(_ item: UInt32) {
    var position = items.count
    items.append(item)
    while position > 0 {
      let parent = (position - 1) / 2
      guard items[parent] > item else { break }
      items[position] = items[parent]
      position = parent
    }
    items[position] = item
  }

  mutating func removeMin() {
    guard let last = items.popLast(), !items.isEmpty else { return }
    var position = 0
    while true {
      var child = position * 2 + 1
      guard child < items.count else { break }
      if child + 1 < items.count, items[child + 1] < items[child] { child += 1 }
      guard items[child] < last else { break }
      items[position] = items[child]
      position = child
    }
    items[position] = last
  }
}
