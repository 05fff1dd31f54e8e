import Contract
import JSON
import MQTT
import Store
import Tracking

@testable import Bridge

extension World {
    /// A family in which Alice's vital signs are watched.
    static func withWatchedAlice(
        _ settings: BridgeSettings = BridgeSettings(), wrap: (any Driver) -> any Driver = { $0 }
    ) throws -> World {
        let world = try World.withFamily(settings, wrap: wrap)
        try world.fix("alice", TestFix(100))
        _ = try world.ask("alice", "vitals.consent")
        _ = try world.ask("alice", "emergency.subscribe", #"{"phone":"+386 1 234 567"}"#)
        _ = world.published()
        return world
    }

    /// Alice's watch measures something.
    func measure(_ values: String, ago age: Duration = .zero) throws {
        let time = (now - age).milliseconds
        try send(vitalsMessage("alice/watch", #"{"timestamp":\#(time),\#(values)}"#))
    }

    /// Dangerous values, for as long as it takes; help was called two seconds ago.
    func collapse() throws {
        for pause in [Duration.seconds(4), .seconds(2)] {
            try measure(#""heartRate":35,"oxygenSaturation":85,"respiratoryRate":7"#)
            sleep(pause)
        }
    }

    /// How Alice is watched.
    func watched(_ user: Sender = "alice") throws -> JSONValue {
        try ask(user, "emergency.get")["result"] ?? .null
    }

    /// The incident that dispatch sees, if there is one.
    var incident: JSONValue? {
        retained.first { $0.key.hasPrefix("kith/dispatch/incidents/") && !$0.value.isEmpty }
            .map { JSONValue.read($0.value) }
    }

    var incidentID: UUIDv7? { incident?["id"]?.text.flatMap { UUIDv7($0) } }

    /// Dispatch answers.
    func answer(_ payload: String) throws {
        guard let id = incidentID else { return }
        try send(message(.incidentAnswer(id), payload))
    }
}

extension [Publication] {
    /// The kinds of the alerts and notices among them, in order, with their readers.
    var news: [String] {
        compactMap { publication in
            let levels = publication.topic.split(separator: "/")
            guard let what = levels.last, ["alerts", "notices"].contains(what) else { return nil }
            let kind = JSONValue.read(publication.payload)["kind"]?.text ?? "?"
            return what == "alerts" ? kind : "\(levels[2]): \(kind)"
        }
    }
}
