internal import Contract
internal import DequeModule

/// The acknowledgements that wait for the bridge's commit: the broker has written them, and the
/// kernel holds them back.
///
/// Behind the messages of each lane the gate sends a barrier to the bridge, which returns it once
/// everything that it received before it is on disk; of several received together it returns only
/// the newest. If many are under way, messages wait for the next. The kernel holds back a connection
/// as a whole, so a client waits until all its messages are committed.
struct Holds {
    typealias Client = Gatekeeper.Client
    typealias Lane = TopicRow.Lane

    /// The acknowledgements held per client; with many more the kernel would send a full packet.
    static let most = 200
    /// The time after which nothing more is read from the client: the kernel sends what it holds
    /// after 200 ms.
    static let patience = Duration.milliseconds(100)
    /// A client with so many, or that sends the next message so soon after an acknowledgement, has
    /// more to send, and waits only for the bridge.
    static let several = 5
    static let again = Duration.milliseconds(20)
    /// The barriers under way per lane.
    static let mostBarriers = 8
    /// The time after which the bridge counts as away.
    static let longest = Duration.seconds(1)

    struct Barrier: Equatable {
        let lane: Lane
        let number: Int
    }

    private struct Hold {
        let since: Duration
        var count = 0
        /// The barrier behind its last message on each lane.
        var barriers: [Lane: Int] = [:]
        var isPaused = false
    }

    private struct Line {
        /// The barriers under way, oldest first.
        var sent: Deque<(number: Int, at: Duration, clients: [Client])> = []
        var next = 1
        /// The clients with messages behind it.
        var waiting: [Client] = []
    }

    private var holds: [Client: Hold] = [:]
    private var lines: [Lane: Line] = [:]
    /// The bridge's connections that receive barriers.
    private var receivers: [Lane: Client] = [:]

    /// The clients whose acknowledgements are held.
    var count: Int { holds.count }
    var isEmpty: Bool { holds.isEmpty }
    /// Whether a barrier is under way there.
    func awaits(_ lane: Lane) -> Bool { lines[lane]?.sent.isEmpty == false }
    func count(of client: Client) -> Int { holds[client]?.count ?? 0 }

    // MARK: The bridge

    /// Whether barriers of the lane reach the bridge: not one of an earlier version.
    func mayHold(_ lane: Lane) -> Bool { receivers[lane] != nil }

    mutating func bridgeTakesBarriers(of lane: Lane, over client: Client) {
        receivers[lane] = client
    }

    mutating func bridgeLeaves(_ client: Client) { receivers = receivers.filter { $1 != client } }

    // MARK: Holding

    /// Holds the acknowledgement of a message that the broker is about to forward to the bridge.
    ///
    /// - Returns: whether it is the client's first, and the barrier to send, if any.
    mutating func hold(_ client: Client, _ lane: Lane, at now: Duration)
        -> (isFirst: Bool, barrier: Barrier?)
    {
        let isFirst = holds[client] == nil
        var line = lines[lane] ?? Line()
        holds[client, default: Hold(since: now)].count += 1
        if holds[client]?.barriers.updateValue(line.next, forKey: lane) != line.next {
            line.waiting.append(client)
        }
        let barrier = Holds.send(&line, lane, at: now)
        lines[lane] = line
        return (isFirst, barrier)
    }

    private static func send(_ line: inout Line, _ lane: Lane, at now: Duration) -> Barrier? {
        guard !line.waiting.isEmpty, line.sent.count < mostBarriers else { return nil }
        let number = line.next
        line.sent.append((number, now, line.waiting))
        line.waiting = []
        line.next += 1
        return Barrier(lane: lane, number: number)
    }

    /// Records that the bridge has committed what it received before the barrier, and so before
    /// earlier ones.
    ///
    /// - Returns: the clients that need not wait any longer, and the next barrier to send, if any.
    mutating func commit(_ barrier: Barrier, at now: Duration)
        -> (released: [(client: Client, wasPaused: Bool)], next: Barrier?)
    {
        let lane = barrier.lane
        guard var line = lines[lane], line.sent.contains(where: { $0.number == barrier.number })
        else { return ([], nil) }
        var released: [(Client, Bool)] = []
        while let sent = line.sent.first, sent.number <= barrier.number {
            line.sent.removeFirst()
            for client in sent.clients where holds[client]?.barriers[lane] == sent.number {
                holds[client]?.barriers[lane] = nil
                if let hold = holds[client], hold.barriers.isEmpty {
                    released.append((client, hold.isPaused))
                    holds[client] = nil
                }
            }
        }
        let next = Holds.send(&line, lane, at: now)
        lines[lane] = line
        return (released, next)
    }

    /// Forgets a client that has disconnected.
    mutating func remove(_ client: Client) { holds[client] = nil }

    // MARK: Bounds

    /// Returns the clients from which nothing more is to be read for now.
    mutating func pause(at now: Duration) -> [Client] {
        holds.keys.filter { pauses($0, at: now) }
    }

    /// Whether nothing more is to be read from the client for now.
    mutating func pauses(_ client: Client, at now: Duration) -> Bool {
        guard let hold = holds[client],
            hold.count >= Holds.most || now - hold.since >= Holds.patience
        else { return false }
        holds[client]?.isPaused = true
        return true
    }

    /// Whether the bridge has not returned a barrier for so long that it counts as away.
    func isAbandoned(at now: Duration) -> Bool {
        lines.values.contains { $0.sent.first.map { now - $0.at >= Holds.longest } ?? false }
    }

    /// Ends all holds. Barriers under way no longer count.
    ///
    /// - Returns: the clients.
    mutating func end() -> [(client: Client, wasPaused: Bool)] {
        defer { holds = [:] }
        for lane in lines.keys {
            lines[lane]?.sent = []
            lines[lane]?.waiting = []
        }
        return holds.map { ($0.key, $0.value.isPaused) }
    }
}
