import Bridge
import Clocks
import Contract
import JSON
import Logging
import MQTT
import Store
import Synchronization
import TestSupport
import Tracking

/// The whole bridge except the broker: any messages in any order.
///
/// Each line is a message: its topic, a space, its payload. A `!` before the topic: it was
/// retained. A `>` in the topic: what follows is the Response Topic. A line of `+` or `-` and a
/// number moves the clock by that many seconds; a line `=` makes the running bridge compare what
/// the broker retains.
package enum Turns {
    private static let maximumLines = 64
    private static let settings = {
        var settings = BridgeSettings()
        settings.accounts.passwordCost = 10
        settings.accounts.passwordBlockSize = 1
        settings.accounts.passwordParallelism = 1
        // Without them no vital signs are stored.
        settings.sealingKeys = Sealed.keys
        return settings
    }()

    static func run(_ bytes: [UInt8]) throws {
        try household.withLock { household in
            let ready = try household ?? Household()
            household = ready
            try play(bytes, in: ready)
        }
    }

    /// What this input causes to be published: in the household used by all earlier inputs, or a new
    /// one.
    package static func publications(_ bytes: [UInt8], inNewHousehold isNew: Bool) throws
        -> [String]
    {
        if isNew { return try play(bytes, in: Household(), isRecording: true) }
        return try household.withLock { household in
            let ready = try household ?? Household()
            household = ready
            return try play(bytes, in: ready, isRecording: true)
        }
    }

    private static let household = Mutex<Household?>(nil)

    @discardableResult
    private static func play(_ bytes: [UInt8], in household: Household, isRecording: Bool = false)
        throws -> [String]
    {
        try household.database.perform { store in
            let engine = try Engine(store, settings, random: SplitMix64(seed: 1))
            // Nothing depends on how fast the machine is.
            engine.stopwatch = { .zero }
            let turnLoop = turnLoop(engine)
            let broker = Broker(retained: household.retained, isRecording: isRecording)
            var moment = ClockReading(wall: Payloads.now, steady: .zero)
            try turnLoop.begin(broker, at: moment)
            let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: maximumLines)
            for line in lines.prefix(maximumLines) {
                if let seconds = jump(line) {
                    moment.wall = moment.wall + seconds
                } else if line.elementsEqual("=".utf8) {
                    try turnLoop.correct(broker.retained)
                } else {
                    broker.inbox.append(message(line, broker.nextPacket()))
                }
                moment.steady += .milliseconds(250)
                moment.wall = moment.wall + .milliseconds(250)
                let outcomes = engine.takeWork(PasswordWork.self).map { $0.perform() }
                try turnLoop.round(at: moment, outcomes: outcomes)
                if let broken = broker.broken { throw broken }
            }
            // Paths with late points are shown only every now and then.
            for _ in 0..<4 where engine.hasPathsToShow {
                moment.steady += .seconds(11)
                moment.wall = moment.wall + .seconds(11)
                try turnLoop.round(at: moment)
            }
            try checkMemory(engine, store)
            let wrong = try engine.corrections(of: broker.retained)
            try expect(wrong.isEmpty, "what is retained is right: \(wrong.map(\.topic))")
            return broker.published ?? []
        }
    }

    private static func turnLoop(_ engine: Engine) -> TurnLoop {
        TurnLoop(engine, settings, logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Checks that the bridge would publish the same as one that starts now.
    private static func checkMemory(_ engine: Engine, _ store: Store) throws {
        let twin = try Engine(store, settings)
        let (own, other) = try (state(engine), state(twin))
        for (topic, payload) in own {
            try expect(other[topic] == payload, "memory is what the store says on \(topic)")
        }
        try expect(own.count == other.count, "memory has nothing else than the store")
    }

    private static func state(_ engine: Engine) throws -> [String: [UInt8]] {
        Dictionary(
            try engine.corrections(of: [:]).map { ($0.topic, $0.payload) },
            uniquingKeysWith: { $1 })
    }

    /// Ann and Bob are in a group, Bob looks at a map.
    private struct Household {
        let database: Rehearsal
        /// What the broker retains once a bridge has corrected it.
        let retained: [String: [UInt8]]

        init() throws {
            database = try Rehearsal(at: Payloads.now) { transaction in
                let group = try transaction.insertGroup(
                    "AAAAAAAAAAAAAAAAAAAAAA", name: "Family", at: Payloads.now)
                let users: [(Name, DeviceRow.AppProtocol)] = [("ann", .kith), ("bob", .ownTracks)]
                for (name, appProtocol) in users {
                    let user = try transaction.insertUser(
                        name, displayName: name.text, email: "\(name)@example.org",
                        ownTracksPublishIsSOS: name == "bob", at: Payloads.now)
                    _ = try transaction.insertDevice(
                        "phone", of: user, using: appProtocol, at: Payloads.now)
                    try transaction.insertMembership(group, user, at: Payloads.now)
                }
            }
            retained = try database.perform { store in
                let turnLoop = turnLoop(try Engine(store, settings, random: SplitMix64(seed: 1)))
                let broker = Broker(retained: [:])
                let moment = ClockReading(wall: Payloads.now, steady: .zero)
                try turnLoop.begin(broker, at: moment)
                try turnLoop.correct([:])
                // Corrections are sent in parts, one per round.
                for _ in 0..<8 { try turnLoop.round(at: moment) }
                if let broken = broker.broken { throw broken }
                return broker.retained
            }
        }
    }

    // MARK: Lines

    private static func jump(_ line: ArraySlice<UInt8>) -> Duration? {
        guard let first = line.first, "+-".utf8.contains(first), line.count < 10,
            let seconds = Int64(String(decoding: line, as: UTF8.self))
        else { return nil }
        return .seconds(seconds)
    }

    private static func message(_ line: ArraySlice<UInt8>, _ packet: UInt16) -> Message {
        let isRetained = line.first == UInt8(ascii: "!")
        let parts = line.dropFirst(isRetained ? 1 : 0)
            .split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
        let topics = (parts.first ?? []).split(
            separator: UInt8(ascii: ">"), maxSplits: 1, omittingEmptySubsequences: false)
        return Message(
            topic: String(decoding: topics.first ?? [], as: UTF8.self),
            payload: parts.count > 1 ? Array(parts[1]) : [], retain: isRetained, packetID: packet,
            responseTopic: topics.count > 1 ? String(decoding: topics[1], as: UTF8.self) : nil)
    }

    // MARK: The broker

    /// A broker that accepts, confirms and checks everything.
    private final class Broker: BrokerLink {
        var inbox: [Message] = []
        private(set) var broken: Finding?
        /// On the bridge's topics.
        private(set) var retained: [String: [UInt8]]
        /// Topics and payloads, if they are wanted.
        private(set) var published: [String]?
        private var events: [Connection.Event] = []
        private var last: UInt16 = 0
        private static let policy = AccessPolicy()
        private static let metrics = "kith/system/metrics/"
        /// A few hundred topics of metrics, which occur with every input and have been checked.
        private static let known = Mutex<Set<String>>([])

        init(retained: [String: [UInt8]], isRecording: Bool = false) {
            self.retained = retained
            published = isRecording ? [] : nil
        }

        func hasRoom(on lane: Lane) -> Bool { true }
        var unanswered: Int { 0 }

        func nextPacket() -> UInt16 {
            last += 1
            return last
        }

        func receive(atMost limit: Int) -> [Message] {
            defer { inbox = [] }
            return inbox
        }

        func takeEvents() -> [Connection.Event] {
            defer { events = [] }
            return events
        }

        func send(_ publication: Publication) throws(MQTTError) -> Connection.PublishID {
            do { try check(publication) } catch { broken = error }
            published?.append(
                "\(publication.topic) \(String(decoding: publication.payload, as: UTF8.self))")
            if publication.retain, !publication.topic.hasPrefix(Broker.metrics),
                settings.topics.isCompared(publication.topic)
            {
                retained[publication.topic] =
                    publication.payload.isEmpty ? nil : publication.payload
            }
            let id = Connection.PublishID(rawValue: Int32(events.count) + 1)
            if publication.qos != .atMostOnce { events.append(.confirmed(id)) }
            return id
        }

        func flush() throws(MQTTError) {}
        func pause(for duration: Duration) {}
        func maintain() {}
        func disconnect() {}

        private func check(_ publication: Publication) throws(Finding) {
            guard publication.payload.count <= Payloads.maximum else {
                throw Finding("what is published fits into a payload")
            }
            guard publication.payload.isEmpty || JSONValue(parsing: publication.payload) != nil
            else {
                throw Finding("what is published is JSON")
            }
            if publication.retain, publication.topic.hasPrefix(Broker.metrics),
                Broker.known.withLock({ $0.contains(publication.topic) })
            {
                return
            }
            guard let place = Broker.policy.match(of: publication.topic),
                Broker.policy.mayPublish(
                    place, retained: publication.retain, .system(.bridge), AccessFacts())
            else { throw Finding("the bridge publishes where it may: \(publication.topic)") }
            guard publication.retain, publication.topic.hasPrefix(Broker.metrics) else { return }
            Broker.known.withLock { _ = $0.insert(publication.topic) }
        }
    }
}
