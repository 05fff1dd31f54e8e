/// A list in memory ordered by its unique keys: a page begins where the previous one has ended,
/// without scanning the entries before it.
struct SortedList<Key: Comparable, Value> {
    private(set) var entries: [(key: Key, value: Value)]

    init(_ entries: [(key: Key, value: Value)] = []) {
        self.entries = entries.sorted { $0.key < $1.key }
    }

    subscript(_ key: Key) -> Value? {
        let place = place(of: key)
        return place < entries.count && entries[place].key == key ? entries[place].value : nil
    }

    mutating func set(_ key: Key, _ value: Value) {
        let place = place(of: key)
        if place < entries.count, entries[place].key == key {
            entries[place].value = value
        } else {
            entries.insert((key, value), at: place)
        }
    }

    mutating func remove(_ key: Key) {
        let place = place(of: key)
        if place < entries.count, entries[place].key == key { entries.remove(at: place) }
    }

    /// The entries after the key; all entries for nil.
    func after(_ key: Key?) -> ArraySlice<(key: Key, value: Value)> {
        guard let key else { return entries[...] }
        return entries[entries.firstPlace { $0.key > key }...]
    }

    private func place(of key: Key) -> Int { entries.firstPlace { $0.key >= key } }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the first place from which on the condition holds, or the end, by binary search.
    func firstPlace(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
