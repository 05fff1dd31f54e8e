internal import Contract
package import Logging
internal import MQTT
internal import Store
internal import Tracking

/// What the bridge does from one turn to the next: it takes what is waiting at a connection, has
/// the engine decide and commit, publishes, and lets the acknowledgements go. Without a
/// connection it lets happen what is due.
///
/// Connections and moments are given to it; it waits for nothing.
package final class Rounds {
    package let engine: Engine
    private let settings: BridgeSettings
    private let logger: Logger

    private var clock = Clock()
    /// The server's time in this round.
    private var wall = Timestamp(milliseconds: 0)
    /// When the clock was set the last time, by what it said then.
    private var clockSetAt: Timestamp?
    /// Nil while there is no connection: then nobody's silence means anything.
    private var listeningSince: Timestamp?
    private var delivery = OutboxDelivery()
    private var waiting: [Lane: WaitingRoom] = [:]
    /// Rounds that found so much waiting that they took little.
    private var throttledRounds: Int64 = 0
    /// Nil where nothing outlives the process.
    var record: TurnRecord?
    private var carefulSince: Duration?
    /// Messages that cannot be published by anybody.
    private var impossible: Int64 = 0
    private var passwordOutcomes: [PasswordOutcome] = []
    private var rescheduling = true
    private var pace = Pace()
    private var logWatch = LogWatch()
    /// What the broker has been told of the metrics.
    private var reported: [String: String] = [:]
    /// What is left to compare with what the broker keeps.
    private var corrections: Corrections?

    package init(_ engine: Engine, _ settings: BridgeSettings, logger: Logger) {
        self.engine = engine
        self.settings = settings
        self.logger = logger
    }

    // MARK: Connected

    /// Whether messages are taken one at a time: after an end in the middle of a turn, for a while.
    private func isCareful(at now: Duration) -> Bool {
        guard record?.isCareful == true else { return false }
        let start = carefulSince ?? now
        carefulSince = start
        return now < start + Rounds.carefulFor
    }

    /// Longer than it takes to get back what was on its way when the process ended.
    private static let carefulFor = Duration.seconds(60)

    /// Begins with a connection that has subscribed to the inputs.
    package func begin(_ link: some Link, at moment: Moment) throws {
        wall = moment.wall
        try putAside(delivery.condemned)
        let outbox = try engine.outbox()
        let (others, suspects) = delivery.split(outbox.publications, putAside: outbox.putAside)
        try publish(others, link)
        delivery.suspects = suspects
        try publish([status("online")], link)
        try link.flush()
        _ = clock.look(at: moment)
        listeningSince = moment.wall
        rescheduling = true
        reported = [:]
        logger.info("Connected to the broker.")
    }

    /// Puts right, in the rounds that follow, what the broker keeps on the bridge's topics.
    package func correct(_ retained: [String: [UInt8]]) throws {
        corrections = try engine.beginCorrections(of: retained)
    }

    /// As fast as the broker takes them, and never before what turns have to say.
    private func publishCorrections(_ link: some Link) throws {
        guard isNobodyWaiting, link.unanswered < Rounds.calm, var corrections else { return }
        self.corrections = nil
        guard let part = try engine.next(of: &corrections) else { return FreedMemory.giveBack() }
        self.corrections = corrections
        try publish(part, link)
    }

    /// One turn, or none where nothing waits.
    ///
    /// - Parameter outcomes: what was found out about passwords since the last round.
    package func round(
        _ link: some Link, at moment: Moment, passwords outcomes: [PasswordOutcome]
    ) throws {
        wall = moment.wall
        let isThrottled = waitingCount >= BridgeSettings.maximumWaiting
        if isThrottled { throttledRounds += 1 }
        let messages = link.receive(
            atMost: isThrottled ? BridgeSettings.throttledBatch : BridgeSettings.maximumBatch)
        let failure = try noteEvents(link, at: moment.steady)
        if pace.isTime(.retrying, at: moment.steady), !delivery.putAside.isEmpty {
            delivery.retry(try engine.outbox().publications)
        }
        if let suspect = delivery.nextSuspect() { try hand(suspect, to: link) }
        try publishWaiting(link)
        let now = moment.wall
        if clock.look(at: moment) {
            logger.warning("The clock was set.")
            listeningSince = now
            rescheduling = true
            clockSetAt = now
            try publish([status("online")], link)
        }
        var duties = try duties(at: moment)
        let isCalm = !isThrottled && isCalm(link, at: moment.steady)
        if !isCalm { duties.remove(.timers) }
        let isReleasing = engine.nextRelease(at: now).map { $0 <= now } ?? false
        passwordOutcomes += outcomes
        let isIdle =
            messages.isEmpty && duties.isEmpty && passwordOutcomes.isEmpty
            && !(isCalm && (engine.hasArrivals || isReleasing))
        // With the connection the broker may have gone, too.
        let saved = failure == nil ? saved(at: moment.steady) : []
        let fixesBefore = engine.fixCount
        if !isIdle || (!saved.isEmpty && pace.isTime(.confirming, at: moment.steady)) {
            if isCalm { duties.formUnion([.arrivals, .releasing]) }
            let accessChange = engine.accessChange
            let publications = try engine.turnIsolating(
                messages, at: now, listeningSince: listeningSince ?? now, duties,
                confirmed: saved, passwords: passwordOutcomes, record: record,
                isCareful: isCareful(at: moment.steady))
            passwordOutcomes = []
            delivery.forgetSaved(saved.count)
            if engine.accessChange != accessChange { link.pause(for: AccessPolicy.freshness) }
            try publish(publications, link)
        }
        try publishCorrections(link)
        try link.flush()
        noteLatency(of: engine.fixCount - fixesBefore, since: moment.steady)
        if pace.isTime(.maintaining, at: moment.steady) { link.maintain() }
        if pace.isTime(.reporting, at: moment.steady) {
            logWatch.look(at: engine.logBytes, logger)
            try publish(metrics(link), link)
        }
        if let failure { throw failure }
    }

    /// What follows from new fixes has been handed over.
    private func noteLatency(of fixes: Int, since arrival: Duration) {
        guard fixes > 0 else { return }
        engine.measures.fixes.note(engine.stopwatch() - arrival, times: fixes)
    }

    /// What can wait does, while the broker has not answered what was published before: it reads
    /// one message of ours each time it looks at everybody, and fixes wait behind them. It does
    /// not wait for ever, though.
    private func isCalm(_ link: some Link, at now: Duration) -> Bool {
        link.unanswered < Rounds.calm || pace.isTime(.insisting, at: now)
    }

    /// About what the turns' slices of timers and of arrivals publish.
    private static let calm = 50

    /// The last round of a connection before the bridge ends.
    package func end(_ link: some Link) throws {
        try publish([status("offline")], link)
        link.disconnect()
        try link.flush()
    }

    /// - Returns: why the connection ended, if it did. What was read before is still taken.
    private func noteEvents(_ link: some Link, at now: Duration) throws -> MQTTError? {
        var failure: MQTTError?
        for event in link.takeEvents() {
            switch event {
            case .confirmed(let id): delivery.confirm(id, at: now)
            case .refused(let id):
                if let row = delivery.refuse(id) { try putAside([row]) }
            case .disconnected(let error): failure = error
            case .connected: break
            case .subscribed(let granted):
                if !granted { logger.error("The broker refused a subscription.") }
            }
        }
        return failure
    }

    /// What not even the end of the broker takes away. What is not so old when the connection
    /// breaks is published again.
    private func saved(at now: Duration) -> [Int64] {
        // Twice, since it may have begun to save just before; and the writing.
        let saving = settings.broker.autosaveInterval * 2 + .seconds(1)
        return delivery.saved(at: now, after: saving)
    }

    private func duties(at moment: Moment) throws -> Engine.Duties {
        var duties: Engine.Duties = []
        if let due = engine.nextTimer, due <= moment.wall { duties.insert(.timers) }
        if try pace.isTime(.lookingForChanges, at: moment.steady) && engine.noticesForeignChange() {
            duties.insert(.operatorRequests)
        }
        if rescheduling {
            duties.formUnion([.rescheduling, .operatorRequests])
            rescheduling = false
        }
        if pace.isTime(.sweeping, at: moment.steady) { duties.insert(.sweeping) }
        return duties
    }

    /// How long may be slept before the next round, in milliseconds.
    package func patience(at moment: Moment) -> Int32 {
        if corrections != nil || engine.hasArrivals { return Rounds.nap }
        let next = [engine.nextTimer, engine.nextRelease(at: moment.wall)].compactMap { $0 }.min()
        return pace.patience(untilTimer: next.map { $0 - moment.wall })
    }

    /// Until the broker has answered some more, in milliseconds.
    private static let nap: Int32 = 1

    /// How much is under way: nothing, once the broker has confirmed everything.
    package var backlog: Int {
        delivery.count + passwordOutcomes.count
            + (isNobodyWaiting ? 0 : 1) + (corrections == nil ? 0 : 1)
            + (engine.hasArrivals ? 1 : 0) + engine.heldBack + (engine.hasPathsToShow ? 1 : 0)
    }

    // MARK: Not connected

    /// The connection is gone: what was on its way is unknown, and is told again.
    ///
    /// - Parameter isSuspicious: whether the broker may have ended it because of what was sent.
    package func lose(isSuspicious: Bool = false) {
        listeningSince = nil
        rescheduling = true
        delivery.lose(isSuspicious: isSuspicious)
        waiting = [:]
        corrections = nil
    }

    /// What is due by the clock is decided, and told when there is a connection again.
    package func idle(at moment: Moment) throws {
        _ = clock.look(at: moment)
        let never = moment.wall + .seconds(365 * 86_400)
        var duties = try duties(at: moment)
        duties.remove(.sweeping)
        guard !duties.isEmpty else { return }
        _ = try engine.turn([], at: moment.wall, listeningSince: never, duties)
    }

    // MARK: Publishing

    private func publish(_ publications: [Publication], _ link: some Link) throws {
        for publication in publications {
            let lane = publication.lane
            let hasRoom = hasRoom(on: lane, link)
            if !waiting[lane, default: WaitingRoom()].holdsBack(publication, hasRoom) {
                try hand(publication, to: link)
            }
        }
    }

    /// What had to wait for room, as far as there is some now.
    private func publishWaiting(_ link: some Link) throws {
        for lane in Lane.allCases {
            while hasRoom(on: lane, link), let publication = waiting[lane]?.next() {
                try hand(publication, to: link)
            }
        }
    }

    private var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

    private var isNobodyWaiting: Bool { waiting.values.allSatisfy(\.isEmpty) }

    /// Whether another message of QoS 1 may leave now: none of the outbox beside a suspect.
    private func hasRoom(on lane: Lane, _ link: some Link) -> Bool {
        link.hasRoom(on: lane) && !(lane == .prompt && delivery.isExclusive)
    }

    private func hand(_ publication: Publication, to link: some Link) throws {
        do throws(MQTTError) {
            let id = try link.send(publication)
            if let row = publication.outboxRow { delivery.note(id, of: row) }
        } catch {
            guard error.isAboutMessage else { throw error }
            impossible += 1
            if let row = publication.outboxRow { try putAside([row]) }
        }
    }

    /// Rows that the broker does not take: everything behind them goes on.
    private func putAside(_ rows: [Int64]) throws {
        try engine.putAside(rows, at: wall)
        delivery.notePutAside(rows)
        for row in rows {
            logger.error(
                "The broker does not take a message; it is put aside.", metadata: ["row": "\(row)"])
        }
    }

    /// The bridge's health as it is retained.
    func status(_ word: String) -> Publication {
        let payload = JSONWriter.object { json in
            json.key("status")
            json.string(word)
            if let clockSetAt {
                json.key("clockSet")
                json.time(clockSetAt)
            }
            json.key("version")
            json.string(kithVersion)
        }
        return Publication(
            topic: settings.topics.string(.systemStatus), payload: payload, qos: .atLeastOnce,
            retain: true)
    }

    /// Those that have changed since the last time; all of them with a new connection.
    private func metrics(_ link: some Link) -> [Publication] {
        let own = [
            "publications-waiting": Int64(waitingCount), "rounds-throttled": throttledRounds,
            "publications-unanswered": Int64(link.unanswered),
            "outbox-unconfirmed": Int64(delivery.count),
            "outbox-put-aside": Int64(delivery.putAside.count),
            "publications-impossible": impossible,
            "wal-bytes": logWatch.bytes,
        ]
        let numbers = engine.metrics.merging(own) { $1 }.map { ($0.key, "\($0.value)") }
        return (numbers + engine.measures.metrics).sorted { $0.0 < $1.0 }.compactMap {
            name, value in
            guard reported.updateValue(value, forKey: name) != value else { return nil }
            return Publication(
                topic: settings.topics.string(.metric(name)), payload: Array(value.utf8),
                retain: true)
        }
    }
}

/// The version of Kith.
public let kithVersion = "0.1.0"
