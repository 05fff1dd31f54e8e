internal import DequeModule
internal import NIOCore

/// The newest events of a visitor connection, for readers that reconnect.
struct EventHistory {
    struct Entry {
        let number: UInt64
        /// Shared with the histories of all connections that received the same message.
        let event: Event
    }

    private let capacity: Int
    private let maximumSize: Int
    private var size = 0
    private var entries: Deque<Entry> = []
    /// The number of the newest event.
    private(set) var number: UInt64 = 0

    /// - Parameters:
    ///   - capacity: events.
    ///   - maximumSize: bytes.
    init(capacity: Int, maximumSize: Int) {
        (self.capacity, self.maximumSize) = (capacity, maximumSize)
    }

    /// - Returns: its number.
    mutating func append(_ event: Event) -> UInt64 {
        number += 1
        entries.append(Entry(number: number, event: event))
        size += event.lines.readableBytes
        while entries.count > capacity || size > maximumSize, let oldest = entries.popFirst() {
            size -= oldest.event.lines.readableBytes
        }
        return number
    }

    /// Counts an event that is not kept: a retained message that the broker resends for a new
    /// subscription. A reader that has not received it yet cannot resume from before it.
    ///
    /// - Returns: its number.
    mutating func pass() -> UInt64 {
        number += 1
        entries.removeAll()
        size = 0
        return number
    }

    /// The events after the given one; nil if they are no longer known.
    func entries(after number: UInt64) -> [Entry]? {
        let oldest = entries.first?.number ?? self.number + 1
        guard number <= self.number, number >= oldest - 1 else { return nil }
        return entries.filter { $0.number > number }
    }
}
