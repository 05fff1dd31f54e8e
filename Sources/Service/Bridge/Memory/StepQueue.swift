import DequeModule

/// Work that is done in parts, in the order of arrival. Work for a key that already waits is
/// merged, so the queue is never longer than the number of keys.
struct StepQueue<Key: Hashable, Work> {
    private var order: Deque<Key> = []
    private var works: [Key: Work] = [:]
    /// The work of the running turn, or of the last one.
    private(set) var inTurn: [(key: Key, work: Work)] = []

    var isEmpty: Bool { order.isEmpty }

    /// - Parameter join: merges waiting and new work.
    mutating func add(_ key: Key, _ work: Work, join: (Work, Work) -> Work) {
        if let waiting = works[key] {
            works[key] = join(waiting, work)
        } else {
            works[key] = work
            order.append(key)
        }
    }

    mutating func popFirst() -> (key: Key, work: Work)? {
        guard let key = order.popFirst(), let work = works.removeValue(forKey: key) else {
            return nil
        }
        return (key, work)
    }

    /// Takes the work of a turn.
    mutating func take(atMost limit: Int) {
        inTurn = []
        while inTurn.count < limit, let next = popFirst() { inTurn.append(next) }
    }

    /// Puts back the work of a turn that has failed.
    mutating func putBack(join: (Work, Work) -> Work) {
        for (key, work) in inTurn { add(key, work, join: join) }
        inTurn = []
    }

    /// Removes and returns all chosen work.
    mutating func removeAll(where isChosen: (Key) -> Bool) -> [(key: Key, work: Work)] {
        guard works.keys.contains(where: isChosen) else { return [] }
        var removed: [(key: Key, work: Work)] = []
        for key in order where isChosen(key) {
            if let work = works.removeValue(forKey: key) { removed.append((key, work)) }
        }
        order.removeAll(where: isChosen)
        return removed
    }
}
