/// The schedule of additional saves of the broker's state, beyond its own.
///
/// The broker writes everything each time and serves no clients during that, so on its own it saves
/// rarely (`autosave_interval`). That suffices while the bridge handles messages: then nothing
/// waits at the broker, and the bridge's own messages are in its outbox or compared when it
/// connects. While it does not, that file is the only record of messages acknowledged to devices.
struct SaveSchedule {
    /// The time within which messages without a receiver are saved.
    static let pace = Duration.seconds(1)
    /// The interval between saves, as a multiple of the last save's duration, since writing a large
    /// queue can take longer than ``pace``. So the broker spends a tenth of its time on it, and not
    /// all.
    static let spacing = 10
    /// The maximum interval, however long saves take.
    static let longestPace = Duration.seconds(300)
    /// The time that the bridge may leave delivered messages unanswered before it counts as away:
    /// it or its disk may be frozen.
    static let patience = Duration.seconds(1)
    /// The time after its return during which saves continue. An older file would make the broker,
    /// if it were killed, redeliver messages handled long ago.
    static let settling = Duration.seconds(30)
    /// New sessions and subscriptions are saved together, after this time.
    static let collecting = Duration.seconds(5)

    private let inputs: Set<String>
    /// The inputs received by each connection of the bridge.
    private var taken: [Gatekeeper.Client: Set<String>] = [:] {
        didSet { takesAll = taken.values.reduce(into: Set()) { $0.formUnion($1) } == inputs }
    }
    /// Whether the bridge receives all its inputs.
    private var takesAll = false
    /// The time since which the bridge has left delivered messages unanswered.
    private var unansweredSince: Duration?
    /// The last moment at which the bridge was away.
    private var lastAway: Duration?
    /// Whether the file may lack new messages, or contain handled ones.
    private var hasNews = false
    private var sessionsChangedAt: Duration?
    /// When the last save was ordered.
    private var lastSave: Duration?
    /// Its approximate duration; nil until known.
    private var lastTook: Duration?
    private var wasFollowing = false
    /// Whether one more save is due, now that urgency has ended.
    private var owesLast = false

    /// - Parameter inputs: the filters of the bridge's inputs.
    init(inputs: Set<String>) { self.inputs = inputs }

    // MARK: Events

    /// Records a subscription of the bridge; filters other than inputs are ignored.
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

    /// Records a new persistent session, or a subscription of one.
    mutating func sessionsChange(at now: Duration) {
        sessionsChangedAt = sessionsChangedAt ?? now
    }

    // MARK: Due saves

    /// Whether the broker is to save now; to be called several times per second, and the next time
    /// after the broker has saved. A due save counts as done.
    mutating func isDue(at now: Duration) -> Bool {
        let isFollowing = isFollowing(at: now)
        // The last save, without messages handled in the meantime, even if none have arrived since.
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

    /// Whether saves are urgent: the bridge is away, or was until just now.
    private mutating func isFollowing(at now: Duration) -> Bool {
        if !isTaking(at: now) { lastAway = now }
        return lastAway.map { now - $0 < SaveSchedule.settling } ?? false
    }

    /// Whether the bridge receives all its inputs, and handles them.
    func isTaking(at now: Duration) -> Bool {
        if let since = unansweredSince, now - since >= SaveSchedule.patience { return false }
        return takesAll
    }
}
