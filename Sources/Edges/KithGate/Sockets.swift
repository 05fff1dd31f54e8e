internal import CMosquittoBroker
internal import Gate
internal import Glibc

/// The broker's sockets, by client. The broker does not expose them to plugins. But its epoll
/// instance (`epoll(7)`) has registered every client under the same pointer that plugins receive,
/// and the kernel lists registrations in `/proc/self/fdinfo`, see `proc_pid_fdinfo(5)`.
struct Sockets {
    typealias Client = Gatekeeper.Client

    private var descriptors: [Client: Int32] = [:]
    /// Clients on WebSockets: the broker reads these with another library, which polls
    /// independently.
    private var webSockets: Set<Client> = []
    /// Connected clients whose socket has not been found yet.
    private var unknown: Set<Client> = []
    private var pausedWebSockets = PausedWebSockets()
    /// Clients to be paused as soon as their socket is found.
    private var unpaused: Set<Client> = []
    /// Resumed clients, for which the broker is also notified when there is room to write. The
    /// value is the number of bytes written when there last was room.
    private var resumed: [Client: Int?] = [:]
    private var epoll: Int32?
    private var nextLook = Duration.zero
    private var nextUrgentLook = Duration.zero
    private var nextLookForHold = Duration.zero
    /// Connections without a client yet.
    var pending = PendingConnections()
    private var nextPendingLook = Duration.zero
    /// Clients still to be checked in this round.
    private var round: [Client] = []
    private var nextRound = Duration.zero

    mutating func add(_ client: Client, isWebSocket: Bool) {
        remove(client)
        if isWebSocket { webSockets.insert(client) }
        unknown.insert(client)
    }

    /// To be called before the broker closes the socket: its descriptor may be reused afterwards.
    mutating func remove(_ client: Client) {
        descriptors[client] = nil
        webSockets.remove(client)
        pausedWebSockets.remove(client)
        unknown.remove(client)
        unpaused.remove(client)
        resumed[client] = nil
    }

    // MARK: Pausing

    /// Stops the broker reading from the client, until the broker writes to it.
    mutating func pause(_ client: Client) {
        resumed[client] = nil
        guard let descriptor = descriptors[client] else {
            if unknown.contains(client) { unpaused.insert(client) }
            return
        }
        guard !webSockets.contains(client) else {
            return pausedWebSockets.pause(client, descriptor)
        }
        // The broker may have data to write that the kernel did not accept. It is notified once
        // when there is room, rather than repeatedly.
        register(descriptor, client, broker_writes_once)
    }

    /// Makes the broker read from the client again.
    mutating func resume(_ client: Client) {
        unpaused.remove(client)
        guard let descriptor = descriptors[client] else { return }
        guard !webSockets.contains(client) else {
            return pausedWebSockets.resume(client, descriptor)
        }
        // The broker may still have data to write; see ``settle()``.
        register(descriptor, client, broker_reads_and_writes)
        resumed[client] = .some(nil)
    }

    // MARK: Holding

    /// Has the kernel keep what the broker writes to the client.
    ///
    /// - Returns: false if its socket is unknown.
    mutating func hold(_ client: Client, at now: Duration) -> Bool {
        // Many clients publish as soon as they are connected.
        if descriptors[client] == nil, unknown.contains(client), now >= nextLookForHold {
            nextLookForHold = now + look(at: now) * Sockets.rareness
        }
        guard let descriptor = descriptors[client] else { return false }
        HeldSocket.hold(descriptor)
        return true
    }

    func release(_ client: Client) {
        if let descriptor = descriptors[client] { HeldSocket.release(descriptor) }
    }

    /// Stops notifying the broker of room to write for resumed clients with nothing to write: any
    /// data would have been written since the last check, when there was also room.
    private mutating func settle() {
        for (client, before) in resumed {
            guard let descriptor = descriptors[client],
                let figures = SocketFigures(descriptor)
            else {
                resumed[client] = nil
                continue
            }
            let hasRoom = SocketFigures.hasRoom(descriptor)
            guard hasRoom, before == figures.written else {
                resumed[client] = .some(hasRoom ? figures.written : nil)
                continue
            }
            register(descriptor, client, broker_reads)
            resumed[client] = nil
        }
    }

    private func register(_ descriptor: Int32, _ client: Client, _ events: UInt32) {
        guard let epoll else { return }
        // Fails if the socket is gone, in which case nothing is left to do.
        _ = mosquitto_wait_for(epoll, descriptor, client, events)
    }

    // MARK: Time

    /// Called with each tick.
    ///
    /// - Returns: the figures of the connections whose turn it is.
    mutating func tick(at now: Duration) -> [(client: Client, figures: Gatekeeper.Figures)] {
        settle()
        pausedWebSockets.tick()
        // Clients to be paused cannot wait for long.
        if !unknown.isEmpty, now >= (unpaused.isEmpty ? nextLook : nextUrgentLook) {
            look(at: now)
        }
        if now >= nextRound {
            nextRound = now + Sockets.roundTime
            round = Array(descriptors.keys)
        }
        let count = min(round.count, max(Sockets.atOnce, descriptors.count / Sockets.ticks))
        defer { round.removeLast(count) }
        return round.suffix(count).compactMap { client in
            guard let descriptor = descriptors[client], let figures = SocketFigures(descriptor)
            else { return nil }
            return (client, figures.forGate)
        }
    }

    /// The interval at which each connection is checked, …
    private static let roundTime = Duration.seconds(1)
    /// … in this many parts, while the broker is idle, …
    private static let ticks = 8
    /// … of at least this many connections.
    private static let atOnce = 20

    /// Gives connections without a CONNECT a third of the patience.
    mutating func setPatience(_ patience: Duration) { pending.limits.patience = patience / 3 }

    // MARK: Finding

    /// Finds the sockets of new clients. With many connections this takes time: at most a hundredth
    /// of the time is spent on it, or a fifth if a client is to be paused.
    ///
    /// - Returns: the processor time that it took.
    @discardableResult
    private mutating func look(at now: Duration) -> Duration {
        let start = Sockets.ownTime
        for epoll in epoll.map({ [$0] }) ?? EpollTable.all() {
            let found = EpollTable.entries(of: epoll).filter { unknown.contains($0.client) }
            guard !found.isEmpty else { continue }
            self.epoll = epoll
            for (client, descriptor) in found {
                descriptors[client] = descriptor
                unknown.remove(client)
                if webSockets.contains(client) { pausedWebSockets.prepare(descriptor) }
            }
        }
        for client in unpaused where descriptors[client] != nil {
            unpaused.remove(client)
            pause(client)
        }
        let duration = Sockets.ownTime - start
        nextLook = now + max(.milliseconds(200), duration * 100)
        nextUrgentLook = now + min(max(.milliseconds(1), duration * 5), Sockets.urgency)
        return duration
    }

    /// Closes connections that do not send a CONNECT.
    ///
    /// - Returns: the number of connections closed.
    mutating func endPending(at now: Duration) -> Int {
        guard let epoll, now >= nextPendingLook else { return 0 }
        let start = Sockets.ownTime
        let strangers = EpollTable.entries(of: epoll).compactMap { client, descriptor in
            descriptors[client] == nil && !unknown.contains(client)
                ? SocketPeer.pendingConnection(descriptor).map { (descriptor, $0) } : nil
        }
        let unwanted = pending.look(at: strangers.map(\.1), now)
        // The broker notices that the connection has ended.
        for (descriptor, entry) in strangers where unwanted.contains(entry.number) {
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
        nextPendingLook = now + max(.seconds(1), (Sockets.ownTime - start) * 100)
        return unwanted.count
    }

    /// At most a twentieth of the time is spent on looking for clients whose acknowledgement is to be
    /// held.
    private static let rareness = 20
    /// Short enough to find a client that sends at full speed before it is disconnected.
    private static let urgency = Duration.milliseconds(20)

    /// The processor time of this thread.
    private static var ownTime: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
