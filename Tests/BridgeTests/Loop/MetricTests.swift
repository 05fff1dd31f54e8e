import Clocks
import Contract
import Logging
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The metrics for the operator.
struct MetricTests {
    private let world: World
    private let turnLoop: TurnLoop
    private let link = ScriptedLink()
    private let hands: Hands

    /// A steady clock set by the test, which also advances during a commit or a message.
    private final class Hands {
        var steady = Duration.seconds(100)
    }

    /// A driver whose commits take some time.
    private final class SlowDriver: Driver {
        private let real: any Driver
        private let hands: Hands

        init(_ real: any Driver, _ hands: Hands) {
            self.real = real
            self.hands = hands
        }

        func transaction<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError)
            -> Value
        {
            let value = try real.transaction(body)
            hands.steady += .milliseconds(20)
            return value
        }

        func execute(_ sql: String, _ values: [SQLValue], isCounted: Bool) throws(StoreError) -> Int
        {
            try real.execute(sql, values, isCounted: isCounted)
        }

        func query(
            _ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws(StoreError) -> Void
        ) throws(StoreError) { try real.query(sql, values, read) }

        var work: Int64 { real.work }

        func hasTable(_ name: String) throws(StoreError) -> Bool { try real.hasTable(name) }

        func sendTogether(_ isAllowed: Bool) { real.sendTogether(isAllowed) }

        func foreignChanges() throws(StoreError) -> Int64 { try real.foreignChanges() }
    }

    init() throws {
        let hands = Hands()
        self.hands = hands
        world = try World(wrap: { SlowDriver($0, hands) })
        try world.operate(
            .addUser("alice", displayName: "Alice", email: nil, ownTracksPublishIsSOS: false))
        world.engine.stopwatch = { hands.steady }
        // The earlier measures used another clock.
        world.engine.measures = Measures()
        turnLoop = TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
        try turnLoop.begin(link, at: moment)
        try round()
    }

    private var moment: ClockReading {
        ClockReading(wall: world.now + (hands.steady - .seconds(100)), steady: hands.steady)
    }

    /// - Parameter pause: how long nothing happened before.
    private func round(_ messages: [Message] = [], after pause: Duration = .zero) throws {
        hands.steady += pause
        link.incoming = messages
        try turnLoop.round(at: moment)
    }

    /// The metrics published since the last call.
    private func told() -> [String: String] {
        let metrics = link.takeSent().filter { $0.topic.hasPrefix("kith/system/metrics/") }
        #expect(metrics.allSatisfy { $0.retain && $0.qos == .atMostOnce })
        return Dictionary(
            metrics.map {
                (
                    $0.topic.split(separator: "/").last.map(String.init) ?? "",
                    String(decoding: $0.payload, as: UTF8.self)
                )
            }, uniquingKeysWith: { $1 })
    }

    @Test func `A new connection publishes all metrics that always exist`() throws {
        let first = told()
        for name in [
            "fixes", "rejected", "rejected-too-old", "rejected-invalid", "alerts-sos",
            "alerts-journey-arrived", "requests", "turns-full", "publications-waiting",
            "publications-unanswered", "outbox-unconfirmed", "arrivals-waiting",
            "passwords-waiting", "fix-seconds-le-0.001", "fix-seconds-sum",
            "commit-seconds-le-10", "turn-messages-le-1000", "turn-seconds-le-inf",
        ] {
            #expect(first[name] != nil, "\(name)")
        }
        try round(after: .seconds(11))
        #expect(told()["fixes"] == nil, "nothing has changed")
        turnLoop.lose()
        try turnLoop.begin(link, at: moment)
        try round(after: .seconds(11))
        #expect(Set(told().keys) == Set(first.keys))
    }

    @Test func `Every metric has a row with its Prometheus name and type`() {
        for name in told().keys {
            #expect(MetricRow.find(name) != nil, "\(name) is not in the table")
        }
    }

    @Test func `A turn's duration, commit and number of messages are measured`() throws {
        #expect(told()["turn-seconds-count"] == "1")
        try round([TestFix(1), TestFix(2)].map { world.fixMessage("alice", $0) })
        try round(after: .seconds(11))
        let metrics = told()
        #expect(metrics["turn-messages-le-1"] == nil)
        #expect(metrics["turn-messages-le-3"] == "2")
        #expect(metrics["turn-messages-sum"] == "2")
        #expect(metrics["turn-seconds-le-0.025"] == "2")
        #expect(metrics["turn-seconds-le-0.01"] == nil)
        #expect(metrics["turn-seconds-sum"] == "0.04")
        #expect(metrics["commit-seconds-sum"] == "0.04")
    }

    @Test func `A call for help is measured until the broker has every alert about it`() throws {
        try world.addGroup("Family", "alice")
        try world.addGroup("Work", "alice")
        try round([world.requestMessage("alice", "sos.trigger", "{}")], after: .seconds(11))
        // The alerts are in flight. Their confirmation arrives in the next round.
        #expect(told()["call-confirmed-seconds-count"] == "0")
        try round(after: .seconds(3))
        try round(after: .seconds(11))
        let metrics = told()
        #expect(metrics["call-confirmed-seconds-count"] == "1")
        #expect(metrics["call-confirmed-seconds-le-2.5"] == nil, "it is still 0")
        #expect(metrics["call-confirmed-seconds-le-5"] == "1")
    }

    @Test(arguments: [("12000", 12), ("-60000", 0), ("200000000", 0), ("x", 0)])
    func `A call's latency counts from its arrival at the broker, if that is plausible`(
        _ wait: (ago: String, seconds: Double)
    ) throws {
        try world.addGroup("Family", "alice")
        var message = world.requestMessage("alice", "sos.trigger", "{}")
        let arrival = Int64(wait.ago).map { "\(moment.wall.milliseconds - $0)" } ?? wait.ago
        message.lastUserProperty = (CallArrival.property, arrival)
        try round([message])
        try round()
        try round(after: .seconds(11))
        let metrics = told()
        for name in ["call-seconds-sum", "call-confirmed-seconds-sum"] {
            let sum = try #require(metrics[name].flatMap(Double.init))
            #expect(abs(sum - wait.seconds) < 1, "\(name)")
        }
    }

    @Test func `A call's latency ignores the arrival time of another message in the turn`() throws {
        try world.addGroup("Family", "alice")
        var fix = world.fixMessage("alice", TestFix(1))
        fix.lastUserProperty = (
            CallArrival.property, "\(moment.wall.milliseconds - 80_000_000)"
        )
        try round([fix, world.requestMessage("alice", "sos.trigger", "{}")])
        try round(after: .seconds(11))
        let sum = try #require(told()["call-seconds-sum"].flatMap(Double.init))
        #expect(sum < 1)
    }

    @Test func `A call's latency includes the flush and counts once for all groups`() throws {
        try world.addGroup("Family", "alice")
        try world.addGroup("Work", "alice")
        link.whileFlushing = { [hands] in hands.steady += .milliseconds(70) }
        try round([world.requestMessage("alice", "sos.trigger", "{}")])
        link.whileFlushing = {}
        try round(after: .seconds(11))
        let metrics = told()
        #expect(metrics["calls"] == "1")
        #expect(metrics["call-seconds-count"] == "1")
        #expect(metrics["call-seconds-le-0.05"] == "0")
        #expect(metrics["call-seconds-le-0.1"] == "1")
    }

    @Test func `A long turn shrinks the following batches until turns are short again`() throws {
        let batch = (0..<200).map { world.fixMessage("alice", TestFix($0, ago: Double($0))) }
        link.whileFlushing = { [hands] in hands.steady += .milliseconds(400) }
        try round(batch)
        link.whileFlushing = {}
        try round()
        #expect(link.lastLimit == BatchLimit.least)
        for _ in 0..<20 { try round() }
        #expect(link.lastLimit == BridgeSettings.maximumBatch)
    }

    @Test func `A fix's latency runs until its resulting messages are sent`() throws {
        link.whileFlushing = { [hands] in hands.steady += .milliseconds(70) }
        try round((1...3).map { world.fixMessage("alice", TestFix($0, ago: Double($0))) })
        try round([world.fixMessage("alice", TestFix(3, ago: 3))])
        link.whileFlushing = {}
        try round(after: .seconds(11))
        let metrics = told()
        #expect(metrics["fixes"] == "3")
        #expect(metrics["fixes-repeated"] == "1")
        #expect(metrics["fix-seconds-count"] == "3")
        #expect(metrics["fix-seconds-le-0.05"] == "0")
        #expect(metrics["fix-seconds-le-0.1"] == "3")
        let sum = try #require(metrics["fix-seconds-sum"].flatMap { Double($0) })
        #expect(abs(sum - 0.27) < 1e-9)
    }

    @Test func `Rejections are counted by kind`() throws {
        try round([
            world.fixMessage("alice", TestFix(1)), world.status("alice", "x"),
        ])
        try round(after: .seconds(11))
        let metrics = told()
        #expect(metrics["rejected"] == "1")
        #expect(metrics["rejected-invalid"] == "1")
        #expect(metrics["rejected-malformed"] == "0")
    }

    @Test func `Devices that no turn has processed are reported as waiting`() throws {
        let users = try (0..<60).map { try #require(Name("u\(1000 + $0)")) }
        try world.operate(
            users.map {
                .addUser($0, displayName: "X", email: nil, ownTracksPublishIsSOS: false)
            })
        try world.turn(users.map { world.status(Sender($0.text), "offline") })
        let report = ConnectionReport.changed(
            connected: users.map { .device("phone", of: $0) }, disconnected: [])
        try round(
            [Message(topic: "kith/bridge/connections", payload: report.payload)],
            after: .seconds(11))
        #expect(told()["arrivals-waiting"] == "10")
    }
}

/// The write-ahead log of a database with a reader that never ends.
struct LogWatchTests {
    private final class Lines: LogHandler, @unchecked Sendable {
        var count = 0
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.info
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) { count += 1 }
    }

    @Test func `A large log is reported once, and again after it was small`() {
        let lines = Lines()
        let logger = Logger(label: "log", factory: { _ in lines })
        var watch = LogWatch()
        let large = LogWatch.alarming + 1
        for (bytes, told) in [
            (0, 0), (LogWatch.alarming, 0), (large, 1), (large, 1), (Store.usualLog + 1, 1),
            (large, 1), (Store.usualLog, 1), (large, 2),
        ] {
            watch.look(at: bytes, logger)
            #expect(watch.bytes == bytes && lines.count == told)
        }
    }

    @Test(.onSQLite) func `The log grows while a reader is open and is reused afterwards`() throws {
        let world = try World.withFamily()
        func write() throws {
            for number in 1...40 {
                try world.store.transaction { transaction in
                    let payload = [UInt8](repeating: UInt8(number), count: 1 << 20)
                    let row = try transaction.insertOutgoing(
                        topic: "", payload: payload, correlationData: nil)
                    try transaction.deleteOutgoing(row)
                }
            }
        }
        let reader = try Store.openReadOnly(world.database.address)
        try reader.transaction { transaction in
            _ = try transaction.users()
            do { try write() } catch { Issue.record("\(error)") }
        }
        let grown = world.engine.logBytes
        #expect(grown > 40 << 20)
        try write()
        #expect(world.engine.logBytes <= max(grown, Store.usualLog))
    }
}
