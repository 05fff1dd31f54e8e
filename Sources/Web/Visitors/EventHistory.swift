internal import DequeModule

/// The newest events of a line, for readers who come back.
struct EventHistory {
    struct Entry {
        let number: UInt64
        /// Shared with the journals of the others who were told the same.
        let event: Event
    }

    private let capacity: Int
    private var entries: Deque<Entry> = []
    /// Of the newest event.
    private(set) var number: UInt64 = 0

    init(capacity: Int) { self.capacity = capacity }

    /// - Returns: its number.
    mutating func append(_ event: Event) -> UInt64 {
        number += 1
        if entries.count >= capacity { entries.removeFirst() }
        entries.append(Entry(number: number, event: event))
        return number
    }

    /// Counts an event that is not kept: one of those that the broker tells anew to whoever
    /// subscribes. Who has not got it yet cannot go on from before it.
    ///
    /// - Returns: its number.
    mutating func pass() -> UInt64 {
        number += 1
        entries.removeAll()
        return number
    }

    /// What came after an event; nil where that is not known any more.
    func entries(after number: UInt64) -> [Entry]? {
        let oldest = entries.first?.number ?? self.number + 1
        guard number <= self.number, number + 1 >= oldest else { return nil }
        return entries.filter { $0.number > number }
    }
}
