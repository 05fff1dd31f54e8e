internal import HeapModule

/// Whose tracker is to be advanced when: one queue, ordered by time.
///
/// An entry may be early, since a user's due time mostly moves away with every fix and is left
/// where it was; whoever takes it looks again. So a fix costs nothing here.
public struct TimerQueue: Sendable {
    private struct Entry: Comparable {
        let due: Timestamp
        let user: UserID

        static func < (left: Entry, right: Entry) -> Bool {
            (left.due, left.user) < (right.due, right.user)
        }
    }

    private var heap = Heap<Entry>()
    private var scheduled: [UserID: Timestamp] = [:]

    public init() {}

    /// Makes sure that the user comes up by `due` at the latest.
    public mutating func schedule(_ user: UserID, by due: Timestamp) {
        if let earlier = scheduled[user], earlier <= due { return }
        scheduled[user] = due
        heap.insert(Entry(due: due, user: user))
    }

    /// When the next entry is due.
    public var next: Timestamp? { heap.min?.due }

    /// Takes the users who are due by now, each once, the earliest first.
    public mutating func take(by now: Timestamp, atMost limit: Int) -> [UserID] {
        var users: [UserID] = []
        while users.count < limit, let entry = heap.min, entry.due <= now {
            heap.removeMin()
            // An entry that was overtaken by an earlier one has nothing to say any more.
            guard scheduled[entry.user] == entry.due else { continue }
            scheduled[entry.user] = nil
            users.append(entry.user)
        }
        return users
    }
}
