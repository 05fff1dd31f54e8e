import DequeModule
import Tracking

/// What the broker has of everybody's paths, and what of them is still to be put there.
struct RetainedPaths {
    /// The segments that are on the broker.
    var published: [Memory.PathKey: ClosedRange<Int>] = [:]

    /// From where a path is to be shown anew; nil: whole.
    private var waiting: [Memory.PathKey: Timestamp?] = [:]
    /// Those whose turn has come, of an SOS before the others; an entry that does not wait any
    /// more is void.
    private var urgent: Deque<Memory.PathKey> = []
    private var line: Deque<Memory.PathKey> = []
    /// Those of people whose points came late, until the time has come.
    private var late: [UserID: [Memory.PathKey]] = [:]
    private var lateTimers = TimerQueue()
    /// Where much waits, the next part comes then.
    private var pausedUntil: Timestamp?

    enum Urgency {
        case sos, soon
        /// Points came late: there may be more of them soon.
        case late(due: Timestamp)
    }

    /// When something is due; nil where nothing waits.
    var next: Timestamp? {
        let isDue = !urgent.isEmpty || !line.isEmpty
        let due = isDue ? Timestamp(milliseconds: 0) : lateTimers.next
        return due.map { max($0, pausedUntil ?? $0) }
    }

    func isWaiting(_ key: Memory.PathKey) -> Bool { waiting[key] != nil }

    /// Whether the path has to be shown whole before anything else is shown of it.
    func isUnknown(_ key: Memory.PathKey) -> Bool { waiting[key] == .some(nil) }

    mutating func note(_ key: Memory.PathKey, from: Timestamp?, _ urgency: Urgency) {
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

    mutating func forget(_ key: Memory.PathKey) { waiting[key] = nil }

    /// The next one, unless a pause is made; `from`: nil: whole.
    mutating func take(at now: Timestamp) -> (key: Memory.PathKey, from: Timestamp?)? {
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

    /// Lets others have their turn before the rest.
    mutating func pause(until time: Timestamp) { pausedUntil = time }

    /// Everything is due: the clock was set.
    mutating func hurry() {
        pausedUntil = nil
        for keys in late.values { line += keys }
        (late, lateTimers) = ([:], TimerQueue())
    }
}

extension Memory.PathKey: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        (left.group, left.user) < (right.group, right.user)
    }
}
