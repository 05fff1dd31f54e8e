import Bridge
import Contract
import JSON
import MQTT
import Sealing
import Store
import Tracking

/// Dispatch, and the people for whom it is called.
///
/// A person has at most one open incident, each open incident is retained at the broker, and
/// dispatch is not called again after an answer.
final class SimulatedDispatch: SimulatedArea {
    unowned let world: World
    /// The published incidents that the broker retains.
    private var retained: [UUIDv7: [UInt8]] = [:]

    init(_ world: World) { self.world = world }

    /// The areas: the north has other ways than the rest.
    static var areas: DispatchAreas {
        let webhook = DispatchWay.webhook(url: "https://dispatch.example", secret: "")
        let corners = [(46.0005, 14.0), (46.0005, 15.0), (47.0, 15.0), (47.0, 14.0)]
            .compactMap { Coordinate(latitude: $0.0, longitude: $0.1) }
        let region = Region(Region.Polygon(rings: [corners]).map { [$0] } ?? [])
        return DispatchAreas(
            [
                .init(
                    name: "north", number: "112", ways: [webhook, .command(["/bin/true"])],
                    region: region)
            ], elsewhere: .init(name: "south", number: "113", ways: [.mqtt, webhook]))
    }

    private func fail(_ description: String) { world.oracles.fail("dispatch", description) }

    static var asks: [Ask<Phone>] { [Ask(1, "incident.list")] }

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets {
        let incident = retained.keys.sorted().first.map { "\($0)" } ?? "x"
        let topic = "kith/dispatch/incidents/\(incident)"
        return Targets(
            filters: ["kith/dispatch/#", topic, "kith/dispatch/incidents/+"],
            topics: [topic, "\(topic)/answer", "\(topic)/vitals/request"])
    }

    static var adversaryAsks: [Ask<Adversary>] { [Ask(1, "incident.list")] }

    // MARK: Published

    func published(_ message: Message, on topic: Topic) {
        guard case .listed(.incident, let names) = topic, let id = names.incident else { return }
        let payload = JSONValue.of(message.payload)
        if message.payload.isEmpty {
            retained[id] = nil
        } else if message.retain {
            retained[id] = message.payload
            if payload["id"]?.text != id.description { fail("an incident has another's topic") }
        }
        for word in ["heartRate\":", "oxygenSaturation\":"]
        where String(decoding: message.payload, as: UTF8.self).contains(word) {
            fail("vital signs are published in the clear")
        }
    }

    // MARK: At rest

    func checkRest() throws {
        let open = world.oracles.read { try $0.openIncidents() }
        for row in open ?? [] where retained[row.id] == nil {
            let incident = try SimulatedVitals.keys.flatMap { try row.opened(with: $0) }
            if incident?.details.escalation.isRetained ?? true {
                fail("incident \(row.id) reached no one")
            }
        }
        let drills = world.oracles.read { try $0.openDrills() }
        let ids = Set((open ?? []).map(\.id) + (drills ?? []).map(\.id))
        for id in retained.keys where !ids.contains(id) {
            fail("incident \(id) is over, and still retained")
        }
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        guard let keys = SimulatedVitals.keys else { return [] }
        var rows: [String] = []
        for user in try transaction.users() {
            for row in try transaction.incidents(of: user.id, before: nil, limit: 10_000) {
                let next = row.nextAt.map { "\($0)" } ?? "not"
                let details = try row.opened(with: keys).map {
                    String(decoding: $0.details.stored, as: UTF8.self)
                }
                rows.append(
                    "incident \(row.id) of \(user.id) \(row.status) \(row.attempts) "
                        + "\(row.messages), again \(next): \(details ?? "")")
            }
        }
        return rows
    }

    static var canaries: [Canary] { [forgetIncident] }

    /// Bug: dispatch is not called.
    private static var forgetIncident: Canary {
        Canary("forgetIncident", foundBy: "dispatch", "shadow", "monitoring") { attempted in
            attempted.sql.hasPrefix("INSERT INTO incidents") ? .skipped : nil
        }
    }
}
