import DequeModule
import Tracking

/// The members of groups whose unread alerts and messages are to be counted again, each once, in the order in
/// which something became new for them.
struct UnreadRecounts {
    struct Member: Hashable {
        let user: UserID
        let group: GroupID
    }

    private var order: Deque<Member> = []
    private var known: Set<Member> = []
    /// When the next are counted; nil: nobody waits.
    var next: Timestamp? { order.isEmpty ? nil : pause }
    private var pause = Timestamp(milliseconds: 0)

    /// The members counted at once, and the time between: what follows from one message to a large group
    /// delays nobody.
    static let atOnce = 100
    static let interval = Duration.seconds(1)

    mutating func append(_ user: UserID, _ group: GroupID) {
        let member = Member(user: user, group: group)
        if known.insert(member).inserted { order.append(member) }
    }

    /// - Returns: those whose turn it is.
    mutating func take(at now: Timestamp) -> [Member] {
        guard let next, next <= now else { return [] }
        let members = Array(order.prefix(UnreadRecounts.atOnce))
        order.removeFirst(members.count)
        known.subtract(members)
        pause = now + UnreadRecounts.interval
        return members
    }

    /// The clock was set.
    mutating func reschedule(at now: Timestamp) { pause = min(pause, now) }
}
