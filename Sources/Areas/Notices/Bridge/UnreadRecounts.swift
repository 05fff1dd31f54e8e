import DequeModule
import Tracking

/// The group members whose unread alerts and messages are to be recounted, each once, in the order
/// in which they became stale.
struct UnreadRecounts {
    struct Member: Hashable {
        let user: UserID
        let group: GroupID
    }

    private var order: Deque<Member> = []
    private var known: Set<Member> = []
    /// The time of the next counts; nil if none wait.
    var next: Timestamp? { order.isEmpty ? nil : pause }
    private var pause = Timestamp(milliseconds: 0)

    /// The members counted at a time, and the pause: a message to a large group must not delay
    /// other work.
    static let atOnce = 100
    static let interval = Duration.seconds(1)

    mutating func append(_ user: UserID, _ group: GroupID) {
        let member = Member(user: user, group: group)
        if known.insert(member).inserted { order.append(member) }
    }

    /// - Returns: the next members.
    mutating func take(at now: Timestamp) -> [Member] {
        guard let next, next <= now else { return [] }
        let members = Array(order.prefix(UnreadRecounts.atOnce))
        order.removeFirst(members.count)
        known.subtract(members)
        pause = now + UnreadRecounts.interval
        return members
    }

    /// Adapts to a clock that was set.
    mutating func reschedule(at now: Timestamp) { pause = min(pause, now) }
}
