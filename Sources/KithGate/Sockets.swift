internal import CMosquittoBroker
internal import Gate
internal import Glibc

/// The broker's sockets, by its clients: it tells its plugins nothing of them. But its multiplexer
/// (`epoll(7)`) knows every client by the pointer that the plugins get as well, and the kernel
/// shows what the multiplexer knows in `/proc/self/fdinfo`, see `proc_pid_fdinfo(5)`.
struct Sockets {
    typealias Client = Gatekeeper.Client

    private var descriptors: [Client: Int32] = [:]
    /// Those whom the broker reads from by another library, which polls by itself.
    private var webSockets: Set<Client> = []
    /// Connected, and not found yet.
    private var unknown: Set<Client> = []
    private var pausedWebSockets = PausedWebSockets()
    /// To be paused as soon as they are found.
    private var unpaused: Set<Client> = []
    /// Resumed, so that the broker is told as well when there is room for what it writes.
    private var resumed: [Client: Int?] = [:]
    private var epoll: Int32?
    private var nextLook = Duration.zero
    private var nextUrgentLook = Duration.zero
    /// Without a client yet.
    private var pending = PendingConnections()
    private var nextSpeechlessLook = Duration.zero
    /// Those who are still to be looked at in this second.
    private var round: [Client] = []
    private var nextRound = Duration.zero

    mutating func add(_ client: Client, isWebSocket: Bool) {
        remove(client)
        if isWebSocket { webSockets.insert(client) }
        unknown.insert(client)
    }

    /// To be called before the broker closes the socket: its number is another's then.
    mutating func remove(_ client: Client) {
        descriptors[client] = nil
        webSockets.remove(client)
        pausedWebSockets.remove(client)
        unknown.remove(client)
        unpaused.remove(client)
        resumed[client] = nil
    }

    // MARK: Pausing

    /// Nothing is read from the client any more, until the broker writes to it.
    mutating func pause(_ client: Client) {
        resumed[client] = nil
        guard let descriptor = descriptors[client] else {
            if unknown.contains(client) { unpaused.insert(client) }
            return
        }
        guard !webSockets.contains(client) else {
            return pausedWebSockets.pause(client, descriptor)
        }
        // The broker may have something to write that the kernel did not take. It is told once
        // when there is room, and not again and again.
        register(descriptor, client, broker_writes_once)
    }

    /// The broker reads on.
    mutating func resume(_ client: Client) {
        unpaused.remove(client)
        guard let descriptor = descriptors[client] else { return }
        guard !webSockets.contains(client) else {
            return pausedWebSockets.resume(client, descriptor)
        }
        // It may have something to write still; see ``settle()``.
        register(descriptor, client, broker_reads_and_writes)
        resumed[client] = .some(nil)
    }

    /// Of those who were resumed the broker is told no more that there is room: had it had
    /// something to write, it would have done so since the last time, when there was room as well.
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
        // Fails for a socket that is not there, which asks for nothing more.
        _ = mosquitto_wait_for(epoll, descriptor, client, events)
    }

    // MARK: Time

    /// With each tick.
    ///
    /// - Returns: what is to be told of the connections whose turn it is.
    mutating func tick(at now: Duration) -> [(client: Client, figures: Gatekeeper.Figures)] {
        settle()
        pausedWebSockets.tick()
        // Who is to be paused cannot wait for long.
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

    /// So often each connection is looked at, …
    private static let roundTime = Duration.seconds(1)
    /// … in so many parts, while the broker has nothing to do …
    private static let ticks = 8
    /// … of at least so many.
    private static let atOnce = 20

    /// Who does not say who it is has a third of it.
    mutating func setPatience(_ patience: Duration) { pending.limits.patience = patience / 3 }

    // MARK: Finding

    /// A look takes a moment when there are many: no more than a hundredth of the time, or a
    /// fifth where somebody is to be paused.
    private mutating func look(at now: Duration) {
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
    }

    /// Ends connections that do not say who they are.
    ///
    /// - Returns: how many.
    mutating func endSpeechless(at now: Duration) -> Int {
        guard let epoll, now >= nextSpeechlessLook else { return 0 }
        let start = Sockets.ownTime
        let strangers = EpollTable.entries(of: epoll).compactMap { client, descriptor in
            descriptors[client] == nil && !unknown.contains(client)
                ? SocketPeer.pendingConnection(descriptor).map { (descriptor, $0) } : nil
        }
        let unwanted = pending.look(at: strangers.map(\.1), now)
        // The broker finds the end.
        for (descriptor, entry) in strangers where unwanted.contains(entry.number) {
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
        nextSpeechlessLook = now + max(.seconds(1), (Sockets.ownTime - start) * 100)
        return unwanted.count
    }

    /// Whoever sends as fast as possible is found before it is cut off.
    private static let urgency = Duration.milliseconds(20)

    /// The processor's, of this thread.
    private static var ownTime: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
