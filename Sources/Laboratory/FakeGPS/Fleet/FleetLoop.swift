internal import Clocks
internal import Contract
internal import Glibc
internal import HeapModule
internal import MQTT
internal import Tracking

/// The event loop over all phones, on one thread: it sleeps until a socket is ready or a phone has
/// something to do.
struct FleetLoop {
    private struct Due: Comparable {
        var at: Duration
        var index: Int

        static func < (left: Due, right: Due) -> Bool {
            (left.at, left.index) < (right.at, right.index)
        }
    }

    /// The time between the first connections, so that not all phones connect at once.
    private static let stagger = Duration.milliseconds(2)
    private static let phonesPerMillisecond = 200
    private static let second = Duration.seconds(1)

    private let clients: [PhoneClient]
    private let report: @Sendable (Fleet.Event) -> Void
    private let start: ContinuousClock.Instant
    private var state: StateFile?
    private var dues: Heap<Due> = []
    /// The due time in each phone's valid entry in the heap.
    private var scheduled: [Duration?]
    private var nextSecond = FleetLoop.second
    private var sockets: [pollfd]

    init(
        _ phones: [Phone], _ options: Fleet.Options,
        report: @escaping @Sendable (Fleet.Event) -> Void
    ) throws(StateError) {
        self.report = report
        start = .now
        let startedAt = Timestamp.now
        state = try options.stateFile.map { path throws(StateError) in try StateFile(path) }
        let filter = OnceFilter(report: report)
        var clients: [PhoneClient] = []
        for var phone in phones {
            phone.startsAfter += FleetLoop.stagger * clients.count
            let kept = phone.wantsReceipts ? try state?.buffer(of: phone) : nil
            clients.append(
                PhoneClient(
                    phone, options, startedAt: startedAt, buffer: kept ?? FixBuffer(),
                    report: filter.pass))
        }
        self.clients = clients
        scheduled = Array(repeating: nil, count: clients.count)
        sockets = Array(
            repeating: pollfd(fd: -1, events: 0, revents: 0), count: clients.count + 1)
        raiseFileLimit()
    }

    mutating func run(waker: Waker, until isStopped: () -> Bool) throws(StateError)
        -> FleetStatistics
    {
        sockets[clients.count] = pollfd(
            fd: waker.fileDescriptor, events: Int16(POLLIN), revents: 0)
        for index in clients.indices { turn(index) }
        while clients.contains(where: { !$0.isGone }) {
            let ready = wait()
            if sockets[clients.count].revents != 0 { waker.reset() }
            if isStopped() {
                for client in clients { client.leave(at: now) }
                for index in clients.indices { turn(index) }
            }
            for index in ready { turn(index) }
            while let due = dues.min, due.at <= now {
                dues.removeMin()
                if scheduled[due.index] == due.at {
                    scheduled[due.index] = nil
                    turn(due.index)
                }
            }
            if now >= nextSecond { try everySecond() }
        }
        try save()
        report(.progress(tally))
        return tally
    }

    private var now: Duration { ContinuousClock.now - start }

    private var tally: FleetStatistics {
        var sum = FleetStatistics()
        for client in clients { sum += client.total }
        return sum
    }

    private mutating func turn(_ index: Int) {
        let client = clients[index]
        client.turn(at: now)
        let due = client.nextDue(after: now)
        if let due, due != scheduled[index] { dues.insert(Due(at: due, index: index)) }
        scheduled[index] = due
        let events = Int16(POLLIN) | (client.line.wantsWrite ? Int16(POLLOUT) : 0)
        sockets[index] = pollfd(fd: client.line.fileDescriptor, events: events, revents: 0)
    }

    /// Polling many sockets takes time. So large numbers of phones are served in rounds, with a
    /// short delay each, instead of polling all sockets whenever one of them is ready.
    ///
    /// - Returns: the phones whose socket is ready.
    private mutating func wait() -> [Int] {
        let round = Int32(clients.count / FleetLoop.phonesPerMillisecond)
        if round > 0 { poll(&sockets[clients.count], 1, round) }
        let next = min(dues.min?.at ?? nextSecond, nextSecond)
        let milliseconds = max(0, (next - now).milliseconds + (next > now ? 1 : 0))
        let count = poll(&sockets, nfds_t(sockets.count), Int32(clamping: milliseconds))
        guard count > 0 else { return [] }
        return clients.indices.filter { sockets[$0].revents != 0 }
    }

    private mutating func everySecond() throws(StateError) {
        nextSecond = now + FleetLoop.second
        for index in clients.indices where !clients[index].isGone {
            clients[index].line.maintain()
            turn(index)
        }
        report(.progress(tally))
        try save()
    }

    private mutating func save() throws(StateError) {
        let numbering = clients.filter(\.phone.wantsReceipts)
        try state?.save(numbering)
    }
}

/// Reports each kind of event only once.
private final class OnceFilter {
    private var told: Set<String> = []
    private let report: (Fleet.Event) -> Void

    init(report: @escaping (Fleet.Event) -> Void) { self.report = report }

    func pass(_ event: Fleet.Event) {
        switch event {
        case .fixesRefused(let problem): if !told.insert("fix \(problem)").inserted { return }
        case .trouble(let what): if !told.insert(what).inserted { return }
        case .progress, .requestRefused: break
        }
        report(event)
    }
}
