import DequeModule
import Tracking

/// The broker's retained segments of all paths, and the segments still to be published.
struct RetainedPaths {
    struct Key: Hashable {
        let group: GroupID
        let user: UserID
    }

    /// The segments that the broker retains.
    var published: [Key: ClosedRange<Int>] = [:]

    /// The time from which a path is to be republished; nil for the whole path.
    private var waiting: [Key: Timestamp?] = [:]
    /// Due paths, those of an SOS first; an entry is void once its path no longer waits.
    private var urgent: Deque<Key> = []
    private var line: Deque<Key> = []
    /// Paths with late points, by person, until they are due.
    private var late: [UserID: [Key]] = [:]
    private var lateTimers = TimerQueue()
    /// The time of the next part of a long queue.
    private var pausedUntil: Timestamp?

    enum Urgency {
        case sos, soon
        /// Late points were inserted, so there may soon be more of them.
        case late(due: Timestamp)
    }

    /// The time at which the next path is due; nil if none waits.
    var next: Timestamp? {
        let isDue = !urgent.isEmpty || !line.isEmpty
        let due = isDue ? Timestamp(milliseconds: 0) : lateTimers.next
        return due.map { max($0, pausedUntil ?? $0) }
    }

    func isWaiting(_ key: Key) -> Bool { waiting[key] != nil }

    /// Returns whether the whole path has to be published before any other part.
    func isUnknown(_ key: Key) -> Bool { waiting[key] == .some(nil) }

    mutating func note(_ key: Key, from: Timestamp?, _ urgency: Urgency) {
        let earlier = waiting[key]
        if case .some(let start?) = earlier, let from {
            waiting[key] = .some(min(start, from))
        } else if earlier == nil {
            waiting[key] = .some(from)
        } else {
            waiting[key] = .some(nil)
        }
        switch urgency {
        case .sos: urgent.append(key)
        case .soon: line.append(key)
        case .late(let due):
            guard earlier == nil else { return }
            late[key.user, default: []].append(key)
            lateTimers.schedule(key.user, by: due)
        }
    }

    mutating func forget(_ key: Key) { waiting[key] = nil }

    /// Removes and returns the next path, unless there is a pause; `from` is nil for the whole
    /// path.
    mutating func take(at now: Timestamp) -> (key: Key, from: Timestamp?)? {
        if let pausedUntil, now < pausedUntil { return nil }
        pausedUntil = nil
        for user in lateTimers.take(by: now, atMost: .max) {
            line += late.removeValue(forKey: user) ?? []
        }
        while let key = urgent.popFirst() ?? line.popFirst() {
            if let from = waiting.removeValue(forKey: key) { return (key, from) }
        }
        return nil
    }

    /// Yields to other work before the rest.
    mutating func pause(until time: Timestamp) { pausedUntil = time }

    /// Makes everything due, because the clock was set.
    mutating func hurry() {
        pausedUntil = nil
        for keys in late.values { line += keys }
        (late, lateTimers) = ([:], TimerQueue())
    }
}

extension RetainedPaths.Key: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        (left.group, left.user) < (right.group, right.user)
    }
}
