/// When the broker has to save what it keeps, beyond what it does by itself.
///
/// It writes everything each time and serves nobody meanwhile, so by itself it saves seldom
/// (`autosave_interval`). That is enough while the bridge takes what arrives: nothing waits at the
/// broker then, and what the bridge has said is in its outbox or compared when it connects. While
/// it does not, that file is all there is of what devices were told has arrived.
struct SaveSchedule {
    /// What is saved within this time: messages that nobody takes.
    static let pace = Duration.seconds(1)
    /// From one order to the next it takes so many times as long as the last save took, since what
    /// waits can be so much that writing it takes longer than ``pace``. Then the broker spends a
    /// tenth of its time on that, and not all of it.
    static let spacing = 10
    /// However long saves take, the next is ordered after this time.
    static let longestPace = Duration.seconds(300)
    /// How long the bridge may say nothing about what it was handed before it counts as away: it
    /// may be frozen, or its disk.
    static let patience = Duration.seconds(1)
    /// How long after its return the file follows it. A file from before would make the broker, if
    /// it were killed, deliver once more what was taken long ago.
    static let settling = Duration.seconds(30)
    /// New sessions and subscriptions are saved together, after this time.
    static let collecting = Duration.seconds(5)

    private let inputs: Set<String>
    /// What each connection of the bridge takes.
    private var taken: [Gatekeeper.Client: Set<String>] = [:]
    /// Since when the bridge has said nothing although something was handed to it.
    private var unansweredSince: Duration?
    /// The last moment at which the bridge was away.
    private var lastAway: Duration?
    /// Whether anything has arrived that the file may lack, or has left since.
    private var hasNews = false
    private var sessionsChangedAt: Duration?
    /// When the last save was ordered.
    private var lastSave: Duration?
    /// How long it took, about; nil until that is known.
    private var lastTook: Duration?
    private var wasFollowing = false
    /// Whether one more save is to come, now that no second counts any longer.
    private var owesLast = false

    /// - Parameter inputs: the filters under which the bridge takes what arrives.
    init(inputs: Set<String>) { self.inputs = inputs }

    // MARK: What happens

    /// The bridge has subscribed to the filter; others than inputs do not matter.
    mutating func bridgeTakes(_ filter: String, over client: Gatekeeper.Client) {
        guard inputs.contains(filter) else { return }
        taken[client, default: []].insert(filter)
    }

    mutating func bridgeLeaves(_ client: Gatekeeper.Client) { taken[client] = nil }

    mutating func handedToBridge(at now: Duration) {
        hasNews = true
        unansweredSince = unansweredSince ?? now
    }

    mutating func bridgeSpeaks() { unansweredSince = nil }

    mutating func messageArrives() { hasNews = true }

    /// There is a new session that lasts, or a subscription of one.
    mutating func sessionsChange(at now: Duration) {
        sessionsChangedAt = sessionsChangedAt ?? now
    }

    // MARK: What is due

    /// Whether the broker is to save now; to be called several times per second, and the next time
    /// after the broker has saved. A save that is due counts as done.
    mutating func isDue(at now: Duration) -> Bool {
        let isFollowing = isFollowing(at: now)
        // The last of them, without what was taken meanwhile, also where nothing has come since.
        if wasFollowing, !isFollowing { owesLast = true }
        wasFollowing = isFollowing
        let isWanted = owesLast || isFollowing && hasNews
        let isCollected = sessionsChangedAt.map { now - $0 >= SaveSchedule.collecting } ?? false
        guard isPaced(at: now), isWanted || isCollected else { return false }
        (lastSave, lastTook) = (now, nil)
        (sessionsChangedAt, hasNews, owesLast) = (nil, false, false)
        return true
    }

    /// Whether the last save is long enough ago.
    private mutating func isPaced(at now: Duration) -> Bool {
        guard let lastSave else { return true }
        // The broker does nothing else while it saves: this is the first tick after that.
        let took = lastTook ?? now - lastSave
        lastTook = took
        let wait = max(SaveSchedule.pace, took * SaveSchedule.spacing)
        return now - lastSave >= min(wait, SaveSchedule.longestPace)
    }

    /// Whether each second counts: the bridge is away, or has been until just now.
    private mutating func isFollowing(at now: Duration) -> Bool {
        if !isTaking(at: now) { lastAway = now }
        return lastAway.map { now - $0 < SaveSchedule.settling } ?? false
    }

    private func isTaking(at now: Duration) -> Bool {
        if let since = unansweredSince, now - since >= SaveSchedule.patience { return false }
        return taken.values.reduce(into: Set()) { $0.formUnion($1) } == inputs
    }
}
