import DequeModule

/// Work that is done a part at a time, in the order in which it came. Work for something that waits
/// already joins it there, so the queue is never longer than there are things.
struct StepQueue<Key: Hashable, Work> {
    private var order: Deque<Key> = []
    private var works: [Key: Work] = [:]
    /// What the running turn does, or the last one has done.
    private(set) var inTurn: [(key: Key, work: Work)] = []

    var isEmpty: Bool { order.isEmpty }

    /// - Parameter join: makes one of what waits and what is new.
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

    /// Takes out all that is chosen.
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
