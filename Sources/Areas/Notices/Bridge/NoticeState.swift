import Contract
import DequeModule
import Limits
import Store
import Tracking

/// The notices' state between turns.
final class NoticeState: AreaState {
    /// The numbers of users who have not seen everything.
    var unread: [UserID: UnreadMessage]
    /// Group members with something new, to be counted in steps.
    var recounts: UnreadRecounts
    /// The time at which data deleted by retention stops counting.
    var nextRecount = Timestamp(milliseconds: 0)
    /// People whose numbers may have changed, to be counted in steps.
    var uncounted: Set<UserID> = []
    /// The people whom the current turn, or the last one, removed from ``uncounted``.
    var counted: [UserID] = []
    /// The people for whom the broker may retain numbers other than those in ``unread``.
    var stale: Set<UserID> = []
    /// Limits on what one user can cause to be sent to another, on the topic and on channels.
    private var onTopic = TokenBuckets<Pair>(NoticeState.toTopic)
    private var onChannels = TokenBuckets<Pair>(NoticeState.toChannels)
    private var rarely = TokenBuckets<Pair>(NoticeState.toChannelsRarely)
    private var ofOneThing = TokenBuckets<Pair>(NoticeState.toChannelsOfOneThing)

    /// The notices that one person may cause to be sent to another immediately.
    private static let toTopic = Allowance(burst: 120, perSecond: 120 / 3_600)
    private static let toChannels = Allowance(burst: 20, perSecond: 20 / 3_600)
    /// The limit for notices that ignore quiet hours.
    private static let toChannelsRarely = Allowance(burst: 3, perSecond: 3 / 86_400)
    /// The limit for answers to one rule; beyond it the newest is sent later, replacing those until
    /// then.
    private static let toChannelsOfOneThing = Allowance(burst: 4, perSecond: 1 / 600)
    private static let later = Duration.seconds(600)

    /// The cause of notices, and their reader.
    private struct Pair: Hashable {
        let source: Source
        let reader: UserID
        let pace: Notice.News.Pace
    }

    /// The cause of a notice.
    enum Source: Hashable {
        case person(UserID)
        /// A thing such as a run, if no person is named.
        case thing(String)
    }

    /// News in delivery to many people, the next one first.
    var tellings: Deque<TellingRow>

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        unread = try transaction.unseenNotices().mapValues { UnreadMessage(notices: $0) }
        for (user, count) in try transaction.unreadInGroups() {
            unread[user, default: UnreadMessage()].alerts = count.alerts
            unread[user, default: UnreadMessage()].chat = count.chat
        }
        // The counts that an earlier process may have owed.
        recounts = UnreadRecounts()
        for member in try transaction.memberships() { recounts.append(member.user, member.group) }
        tellings = Deque(try transaction.tellings())
    }

    /// Keeps the people still to be counted.
    func takeOver(_ old: NoticeState) {
        stale = old.stale.union(old.uncounted).union(old.counted)
        uncounted = stale
    }

    /// Counts a notice against the limits. A notice that is not sent is still stored and listed.
    ///
    /// - Returns: whether it is sent on the topic, and when to channels; nil if not.
    func take(
        _ pace: Notice.News.Pace, from source: Source?, to reader: UserID, at now: Timestamp
    ) -> (onTopic: Bool, onChannels: Timestamp?) {
        guard let source, pace != .unlimited else { return (true, now) }
        let pair = Pair(source: source, reader: reader, pace: pace)
        let time = Duration.milliseconds(now.milliseconds)
        let isOnTopic = onTopic.take(pair, at: time)
        switch pace {
        case .latest:
            return (
                isOnTopic, ofOneThing.take(pair, at: time) ? now : now + NoticeState.later
            )
        case .rare: return (isOnTopic, isOnTopic && rarely.take(pair, at: time) ? now : nil)
        case .unlimited, .kind, .others:
            return (isOnTopic, isOnTopic && onChannels.take(pair, at: time) ? now : nil)
        }
    }
}
