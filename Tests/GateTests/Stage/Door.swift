import Contract
import TestSupport

@testable import Gate

/// A gatekeeper without a broker, on a manual clock.
final class Door {
    let town: Town
    let gatekeeper: Gatekeeper
    private(set) var now = Duration.seconds(1000)
    private var lastClient: Gatekeeper.Client = 0
    private var metrics: [String: String] = [:]

    /// - Parameter opening: the gatekeeper's store, if it is not the town's database.
    init(
        _ town: Town, opening: (() throws(AccessSourceError) -> any AccessSource)? = nil,
        change: (inout GateSettings) -> Void = { _ in }
    ) {
        self.town = town
        var settings = GateSettings()
        change(&settings)
        gatekeeper = Gatekeeper(settings, opening: opening ?? town.opening)
    }

    /// Lets time pass, as the broker does: with a tick each 100 ms.
    func pass(_ duration: Duration) {
        let end = now + duration
        while now < end {
            now = min(end, now + .milliseconds(100))
            gatekeeper.tick(at: now)
        }
    }

    /// One tick, as the broker has them between two packets of a client.
    func tick(after duration: Duration = .zero) {
        now += duration
        gatekeeper.tick(at: now)
    }

    /// The same, without a tick in between.
    func skip(_ duration: Duration) { now += duration }

    /// Where Mosquitto would keep the next client.
    func newClient() -> Gatekeeper.Client {
        lastClient += 64
        return lastClient
    }

    /// - Parameter who: `alice.phone`, `kith:bridge`; without a dot or a colon a guest.
    /// - Returns: nil if it is not admitted.
    func enter(
        _ who: String, id: String? = nil, token: String? = nil, isContinued: Bool = false,
        isFive: Bool = false, takes packetMaximum: Int? = nil,
        from address: String = "10.0.0.1",
        as client: Gatekeeper.Client? = nil
    ) -> Gatekeeper.Client? {
        now += .milliseconds(2)
        let isGuest = !who.contains(".") && !who.contains(":")
        let client = client ?? newClient()
        let isLetIn = gatekeeper.connect(
            Gatekeeper.Introduction(
                clientID: id ?? who,
                username: isGuest ? nil : who.split(separator: ".").first.map(String.init),
                password: isGuest ? nil : (token ?? town.tokens[who]), address: address,
                isContinued: isContinued, mayKeepNewSession: isFive,
                packetMaximum: packetMaximum),
            as: client, at: now)
        return isLetIn == .allowed ? client : nil
    }

    func leave(_ client: Gatekeeper.Client) {
        now += .milliseconds(2)
        gatekeeper.disconnect(client, at: now)
    }

    func publish(
        _ topic: String, size: Int = 1, objects: Int = 1, retained: Bool = false, qos: Int = 1,
        payload: String = "", by client: Gatekeeper.Client
    ) -> Gatekeeper.Verdict {
        now += .milliseconds(2)
        return gatekeeper.publish(
            topic, size: size, objects: objects, retained: retained, qos: qos,
            payload: Array(payload.utf8), by: client, at: now)
    }

    /// - Parameter absentee: a client absent since before the broker was started, as in `enter`.
    func mayReceive(
        _ topic: String, _ client: Gatekeeper.Client, payload: String? = nil, size: Int = 1,
        qos: Int = 1, absentee: String = "", id: String? = nil
    ) -> Bool {
        now += .milliseconds(2)
        let size = payload?.utf8.count ?? size
        return gatekeeper.mayReceive(
            Gatekeeper.Delivery(topic: topic, size: size, qos: qos), client,
            payload: Array((payload ?? "").utf8),
            absentee: Gatekeeper.Absentee(
                clientID: id ?? absentee,
                username: absentee.split(separator: ".").first.map(String.init)),
            at: now)
    }

    func subscribe(_ filter: String, qos: Int = 1, by client: Gatekeeper.Client) -> Bool {
        now += .milliseconds(2)
        return gatekeeper.subscribe(filter, qos: qos, by: client, at: now) == .allowed
    }

    /// What the kernel reports about a connection.
    func measure(
        _ client: Gatekeeper.Client, read: Int = 0, acknowledged: Int = 0, isDrained: Bool = true
    ) {
        now += .milliseconds(2)
        let figures = Gatekeeper.Figures(
            read: read, acknowledged: acknowledged, isDrained: isDrained)
        gatekeeper.measure(client, figures, at: now)
    }

    /// The clients paused and resumed since the last call; takes the orders.
    func pauses() -> [Gatekeeper.Order] {
        gatekeeper.takeOrders().filter {
            switch $0 {
            case .pause, .resume: true
            case .cutOff, .hold, .log, .publish, .release, .retain, .save: false
            }
        }
    }

    /// The barriers sent to the bridge since the last call, and the orders about clients; takes the
    /// orders.
    func holds() -> (barriers: [(topic: String, payload: String)], others: [Gatekeeper.Order]) {
        var barriers: [(String, String)] = []
        var others: [Gatekeeper.Order] = []
        for order in gatekeeper.takeOrders() {
            switch order {
            case .publish(let topic, let payload) where topic.contains("/barriers/"):
                barriers.append((topic, String(decoding: payload, as: UTF8.self)))
            case .hold, .release, .pause, .resume: others.append(order)
            case .cutOff, .log, .publish, .retain, .save: break
            }
        }
        return (barriers, others)
    }

    /// The clients that the broker was ordered to disconnect since the last call.
    func cutOffs() -> [String] {
        gatekeeper.takeOrders().compactMap {
            if case .cutOff(let client) = $0 { client.text } else { nil }
        }
    }

    /// The lines to be logged since the last call.
    func lines() -> [String] {
        gatekeeper.takeOrders().compactMap {
            if case .log(let line) = $0 { line } else { nil }
        }
    }

    /// A metric's retained value, once it was due. Takes the orders.
    func metric(_ name: String) -> String? {
        pass(.seconds(11))
        for order in gatekeeper.takeOrders() {
            guard case .retain(let topic, let payload) = order else { continue }
            metrics[topic] = String(decoding: payload, as: UTF8.self)
        }
        return metrics["kith/system/metrics/\(name)"]
    }

    func reports() throws -> [ConnectionReport] {
        try gatekeeper.takeOrders().compactMap {
            guard case .publish("kith/bridge/connections", let payload) = $0 else { return nil }
            return try ConnectionReport(payload)
        }
    }
}

/// Runs `body` with a gatekeeper: Alice has a phone and a tablet, Bob is in the family with her,
/// Carol is not.
func withDoor(
    isolation: isolated (any Actor)? = #isolation,
    change: (inout GateSettings) -> Void = { _ in }, _ body: (Door) throws -> Void
) async throws {
    try await withTemporaryDirectory { directory in
        let town = try Town(in: directory)
        try town.add("alice", "phone", "tablet")
        try town.add("bob", "phone")
        try town.add("carol", "phone")
        try town.found(.family, "alice", "bob")
        try town.found(.work, "carol")
        try body(Door(town, change: change))
    }
}
