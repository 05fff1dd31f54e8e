internal import Contract
internal import DequeModule

/// The acknowledgements that wait for the bridge's commit: the broker has written them, and the
/// kernel holds them back.
///
/// Behind the messages of each lane the gate sends a barrier to the bridge, which returns it once
/// everything that it received before it is on disk; of several received together it returns only
/// the newest. With ``mostBarriers`` under way, messages wait for the next one. The kernel holds back
/// a connection as a whole, so a client waits until all its messages are committed.
///
/// If a lane's barrier is not returned in time, its messages are acknowledged without waiting, until
/// a barrier returns in time again: no client waits for a bridge that is behind, least of all with a
/// call for help.
struct Holds {
    typealias Client = Gatekeeper.Client
    typealias Lane = TopicRow.Lane

    /// The acknowledgements held per client; nothing more is read from it until they are committed.
    /// The kernel sends full packets: about 360 acknowledgements, over TLS about 45.
    static let most = 30
    /// The time that the bridge may take to return a barrier: the kernel sends what it holds after
    /// 200 ms.
    static let patience = Duration.milliseconds(100)
    /// A barrier that has not returned for this long is lost.
    static let longest = Duration.seconds(60)
    /// A client with so many acknowledgements held, or that sends so soon after one, has more to
    /// send: the bridge is asked to commit now.
    static let several = 5
    static let again = Duration.milliseconds(20)
    /// The barriers under way per lane.
    static let mostBarriers = 8

    struct Barrier: Equatable {
        let lane: Lane
        let number: Int
    }

    /// A client whose acknowledgements are no longer held.
    struct Release {
        let client: Client
        let wasPaused: Bool
    }

    private struct Hold {
        var count = 0
        /// The barrier behind its last message on each lane.
        var barriers: [Lane: Int] = [:]
        var isPaused = false
    }

    private struct Line {
        /// The bridge's connection that receives barriers; nil if it has none.
        var receiver: Client?
        /// The barriers under way, oldest first.
        var sent: Deque<(number: Int, at: Duration, clients: [Client])> = []
        var next = 1
        /// The clients with messages behind it.
        var waiting: [Client] = []
        /// Whether the last barrier was late; then nothing is held.
        var isLate = false

        /// - Returns: the barrier's number; nil if none is needed, or too many are under way.
        mutating func send(at now: Duration) -> Int? {
            guard isLate ? sent.isEmpty : !waiting.isEmpty && sent.count < mostBarriers
            else { return nil }
            defer {
                waiting = []
                next += 1
            }
            sent.append((next, now, waiting))
            return next
        }
    }

    private var holds: [Client: Hold] = [:]
    private var lines: [Lane: Line] = [:]
    /// When clients were released after a commit, as long as it matters.
    private var released: [Client: Duration] = [:]

    /// The number of clients whose acknowledgements are held.
    var count: Int { holds.count }
    var isEmpty: Bool { holds.isEmpty }
    /// Whether a barrier is under way there.
    func awaits(_ lane: Lane) -> Bool { lines[lane]?.sent.isEmpty == false }
    func count(of client: Client) -> Int { holds[client]?.count ?? 0 }
    /// Whether the bridge has just committed everything of the client.
    func wasReleased(_ client: Client, at now: Duration) -> Bool {
        released[client].map { now - $0 < Holds.again } ?? false
    }

    // MARK: The bridge

    /// Whether the bridge has subscribed to the lane's barriers; earlier versions do not.
    func mayHold(_ lane: Lane) -> Bool { lines[lane]?.receiver != nil }

    mutating func bridgeTakesBarriers(of lane: Lane, over client: Client) {
        lines[lane, default: Line()].receiver = client
    }

    mutating func bridgeLeaves(_ client: Client) {
        for lane in Lane.allCases where lines[lane]?.receiver == client {
            lines[lane]?.receiver = nil
        }
    }

    // MARK: Holding

    /// Holds the acknowledgement of a message that the broker is about to forward to the bridge.
    ///
    /// - Returns: whether the client's acknowledgements are held from now on, and the barrier to
    ///   send, if any.
    mutating func hold(_ client: Client, _ lane: Lane, at now: Duration)
        -> (isFirst: Bool, barrier: Barrier?)
    {
        var isFirst = false
        if lines[lane]?.isLate != true {
            isFirst = holds[client] == nil
            let next = lines[lane, default: Line()].next
            holds[client, default: Hold()].count += 1
            if holds[client]?.barriers.updateValue(next, forKey: lane) != next {
                lines[lane]?.waiting.append(client)
            }
        }
        return (isFirst, send(lane, at: now))
    }

    private mutating func send(_ lane: Lane, at now: Duration) -> Barrier? {
        lines[lane]?.send(at: now).map { Barrier(lane: lane, number: $0) }
    }

    /// Records that the bridge has committed what it received before the barrier, and so before
    /// earlier ones.
    ///
    /// - Returns: the clients that need not wait any longer, and the next barrier to send, if any.
    mutating func commit(_ barrier: Barrier, at now: Duration)
        -> (released: [Release], next: Barrier?)
    {
        let lane = barrier.lane
        guard let returned = lines[lane]?.sent.first(where: { $0.number == barrier.number })
        else { return ([], nil) }
        if now - returned.at < Holds.patience { lines[lane]?.isLate = false }
        var released: [Release] = []
        while let sent = lines[lane]?.sent.first, sent.number <= barrier.number {
            lines[lane]?.sent.removeFirst()
            for client in sent.clients where holds[client]?.barriers[lane] == sent.number {
                released += end(client, lane)
            }
        }
        for release in released { self.released[release.client] = now }
        return (released, send(lane, at: now))
    }

    /// Ends the client's wait for a lane.
    private mutating func end(_ client: Client, _ lane: Lane) -> [Release] {
        holds[client]?.barriers[lane] = nil
        guard let hold = holds[client], hold.barriers.isEmpty else { return [] }
        holds[client] = nil
        return [Release(client: client, wasPaused: hold.isPaused)]
    }

    /// Forgets a client that has disconnected, or whose acknowledgements cannot be held.
    mutating func remove(_ client: Client) { holds[client] = nil }

    // MARK: Bounds

    /// Whether nothing more is to be read from the client for now.
    mutating func pauses(_ client: Client) -> Bool {
        guard let hold = holds[client], hold.count >= Holds.most else { return false }
        holds[client]?.isPaused = true
        return true
    }

    /// The clients from which nothing is to be read.
    var paused: [Client] { holds.filter(\.value.isPaused).map(\.key) }

    /// Ends the holds on lanes whose barrier is late. To be called several times per second.
    mutating func endLate(at now: Duration) -> [Release] {
        if !released.isEmpty { released = released.filter { now - $1 < Holds.again } }
        var released: [Release] = []
        for lane in Lane.allCases {
            guard let line = lines[lane], let oldest = line.sent.first,
                now - oldest.at >= Holds.patience
            else { continue }
            for client in line.waiting + line.sent.flatMap(\.clients)
            where holds[client]?.barriers[lane] != nil { released += end(client, lane) }
            lines[lane]?.isLate = true
            lines[lane]?.waiting = []
            if now - oldest.at >= Holds.longest { lines[lane]?.sent = [] }
        }
        return released
    }

    /// Ends all holds. Barriers under way no longer count.
    mutating func end() -> [Release] {
        defer { holds = [:] }
        for lane in Lane.allCases {
            lines[lane]?.sent = []
            lines[lane]?.waiting = []
            lines[lane]?.isLate = false
        }
        return holds.map { Release(client: $0.key, wasPaused: $0.value.isPaused) }
    }
}
