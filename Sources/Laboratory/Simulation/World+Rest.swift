import Bridge
import Contract
import MQTT
import Store
import Tracking

extension World {
    /// Lets everything come to rest: nothing more goes wrong and no one acts.
    func comeToRest() throws {
        trouble = nil
        plan = FaultPlan()
        for phone in phones { phone.clockError = .zero }
        trace.note("everything comes to rest")
        adversary?.fallSilent()
        var quiet = 0
        for round in 0..<World.longestUnrest where oracles.failure == nil {
            // After that, the only missing fixes are numbers refused for their time, until they are
            // given up.
            pass(round < World.longestBustle ? .milliseconds(250) : .seconds(20))
            revive()
            // A phone without an answer repeats its request, once the broker has read everything.
            if round % 40 == 39 { for phone in phones where !phone.isSending { phone.askAgain() } }
            broker.tick()
            for phone in phones where phone.isLoggedIn { phone.connect() }
            pump(all: true)
            look()
            pump(all: true)
            quiet = isAtRest ? quiet + 1 : 0
            if quiet == 8 { return try checkRest() }
        }
        guard oracles.failure == nil else { return }
        let unrest = phones.filter { $0.isLoggedIn && !$0.isAtRest }.map(\.unrest)
        let unread = broker.connected.filter { !$0.toBroker.isEmpty || !$0.toClient.isEmpty }
        oracles.fail(
            "rest",
            """
            the bridge has \(bridge?.backlog ?? -1) under way, phones: \(unrest), unread: \
            \(unread.map { "\($0.clientID): \($0.toBroker.count), \($0.toClient.count)" }), areas: \
            \(areas.filter { !$0.isAtRest }.map { type(of: $0) })
            """)
    }

    private static let longestUnrest = 600
    private static let longestBustle = 200

    private var isAtRest: Bool {
        guard let bridge, bridge.isConnected, bridge.backlog == 0 else { return false }
        return broker.connected.allSatisfy { $0.toBroker.isEmpty && $0.toClient.isEmpty }
            && phones.allSatisfy { !$0.isLoggedIn || $0.isAtRest }
            && areas.allSatisfy(\.isAtRest)
    }

    private func checkRest() throws {
        trace.note("at rest")
        guard let engine = bridge?.engine else { return }
        for area in areas { try area.checkRest() }
        try checkRetained(engine)
        try checkTwin(engine)
        try compare()
        let rows = (try Shadow.rows(oracles.shadow.store), try Shadow.rows(oracles.reader))
        let missing = (rows.0.subtracting(rows.1).min(), rows.1.subtracting(rows.0).min())
        if missing.0 != nil || missing.1 != nil {
            oracles.fail(
                "shadow",
                "only in the shadow: \(missing.0 ?? "nothing"); only in the database: \(missing.1 ?? "nothing")"
            )
        }
        try oracles.checkStore()
        if !(try engine.outgoing()).isEmpty {
            oracles.fail("bounded", "the outbox is not empty at rest")
        }
    }

    /// Checks that the broker retains what the bridge would publish.
    private func checkRetained(_ engine: Engine) throws {
        let kept = broker.retainedOfBridge
        for publication in try engine.corrections(of: kept) {
            let text = String(decoding: kept[publication.topic] ?? [], as: UTF8.self)
            oracles.fail(
                "retained",
                "\(publication.topic) is \(text), and should be "
                    + String(decoding: publication.payload, as: UTF8.self))
        }
    }

    /// Checks that a bridge started now would publish the same.
    private func checkTwin(_ engine: Engine) throws {
        let twin = try Engine(try Store.open(database.path, at: wall), settings, random: Dice())
        let (mine, theirs) = (try Shadow.retained(twin), try Shadow.retained(engine))
        for topic in Set(mine.keys).union(theirs.keys).sorted() where mine[topic] != theirs[topic] {
            // A topic not rebuilt yet is left as it is.
            if mine[topic] == nil, Shadow.isRemade(topic, settings.topics) { continue }
            oracles.fail("restart", "\(topic) is not the same after a restart")
        }
    }
}
