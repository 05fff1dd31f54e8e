internal import HeapModule

/// The users whose trackers are to be advanced, in one queue ordered by time.
///
/// An entry may be too early, since a user's due time usually moves further away with every fix
/// while the entry stays; the code that takes it checks again. So a fix costs nothing here.
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

    /// Schedules the user no later than `due`.
    public mutating func schedule(_ user: UserID, by due: Timestamp) {
        if let earlier = scheduled[user], earlier <= due { return }
        scheduled[user] = due
        heap.insert(Entry(due: due, user: user))
    }

    /// When the next entry is due.
    public var next: Timestamp? { heap.min?.due }

    /// Takes the users who are due by now, each once, earliest first.
    public mutating func take(by now: Timestamp, atMost limit: Int) -> [UserID] {
        var users: [UserID] = []
        while users.count < limit, let entry = heap.min, entry.due <= now {
            heap.removeMin()
            // An entry superseded by an earlier one is void.
            guard scheduled[entry.user] == entry.due else { continue }
            scheduled[entry.user] = nil
            users.append(entry.user)
        }
        return users
    }
}
