import Contract
import DequeModule
import Limits
import Store
import Tracking

/// What the notices need between turns.
final class NoticeState: AreaState {
    /// Of those who have not seen everything.
    var unread: [UserID: UnreadMessage]
    /// Members of groups with something new, to be counted in steps.
    var recounts: UnreadRecounts
    /// When what retention has deleted stops counting.
    var nextRecount = Timestamp(milliseconds: 0)
    /// People whose number may have changed, to be counted in steps.
    var uncounted: Set<UserID> = []
    /// The people whom the running turn, or the last one, took out of ``uncounted``.
    var counted: [UserID] = []
    /// The people for whom the broker may retain numbers other than those in ``unread``.
    var stale: Set<UserID> = []
    /// What one may still cause to be sent to another, on the topic and on channels.
    private var onTopic = TokenBuckets<Pair>(NoticeState.toTopic)
    private var onChannels = TokenBuckets<Pair>(NoticeState.toChannels)
    private var rarely = TokenBuckets<Pair>(NoticeState.toChannelsRarely)
    private var ofOneThing = TokenBuckets<Pair>(NoticeState.toChannelsOfOneThing)

    /// Notices that one person may cause to be sent to another at once.
    private static let toTopic = Allowance(burst: 120, perSecond: 120 / 3_600)
    private static let toChannels = Allowance(burst: 20, perSecond: 20 / 3_600)
    /// The same of those that ignore quiet hours.
    private static let toChannelsRarely = Allowance(burst: 3, perSecond: 3 / 86_400)
    /// The same of answers to one rule; the newest goes later, with others that come until then.
    private static let toChannelsOfOneThing = Allowance(burst: 4, perSecond: 1 / 600)
    private static let later = Duration.seconds(600)

    /// Who causes notices, and who receives them.
    private struct Pair: Hashable {
        let source: Source
        let reader: UserID
        let pace: Notice.News.Pace
    }

    /// What causes a notice.
    enum Source: Hashable {
        case person(UserID)
        /// Where no person is named, such as a run.
        case thing(String)
    }

    /// What many people are being told, the next one first.
    var tellings: Deque<TellingRow>

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        unread = try transaction.unseenNotices().mapValues { UnreadMessage(notices: $0) }
        for (user, count) in try transaction.unreadInGroups() {
            unread[user, default: UnreadMessage()].alerts = count.alerts
            unread[user, default: UnreadMessage()].chat = count.chat
        }
        // Whatever an earlier process was about to count.
        recounts = UnreadRecounts()
        for member in try transaction.memberships() { recounts.append(member.user, member.group) }
        tellings = Deque(try transaction.tellings())
    }

    /// Keeps the people who are still to be counted for.
    func takeOver(_ old: NoticeState) {
        stale = old.stale.union(old.uncounted).union(old.counted)
        uncounted = stale
    }

    /// Counts a notice that is to be sent. A notice that is not sent is still stored and listed.
    ///
    /// - Returns: whether it is sent on the topic, and when to channels; nil: it is not.
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
