import Contract
import JSON
import MQTT
import Store
import Testing
import Tracking

@testable import Bridge

/// If one way brings no answer, the next one is called, and finally the groups have to call.
struct DispatchWayTests {
    private static let webhook = DispatchWay.webhook(
        url: "https://dispatch.example", secret: "whsec_" + String(repeating: "A", count: 32))
    private static let command = DispatchWay.command(["/bin/true"])

    private static func settings(_ ways: DispatchWay...) -> BridgeSettings {
        var settings = BridgeSettings()
        settings.emergency.dispatchAreas = DispatchAreas(
            elsewhere: .init(name: "valley", number: "144", ways: ways))
        return settings
    }

    @Test func `Ways are used one after another, then the groups are asked to call`() throws {
        let world = try World.withWatchedAlice(Self.settings(Self.webhook, Self.command, .mqtt))
        try world.collapse()
        #expect(world.calls() == ["webhook 1"])
        #expect(world.incident == nil, "the broker's turn has not come")
        _ = world.published()
        try world.pass(.seconds(4))
        #expect(world.calls() == ["webhook 2"])
        try world.pass(.seconds(10))
        #expect(world.calls() == ["webhook 3"])
        try world.pass(.seconds(10))
        #expect(world.calls() == ["webhook 4", "command 4"])
        try world.pass(.seconds(20))
        _ = world.calls()
        #expect(world.incident == nil)
        try world.pass(.seconds(10))
        #expect(world.calls() == ["webhook 7", "command 7"])
        #expect(world.incident?["attempts"]?.integer == 7)
        #expect(world.published().news.filter { $0 == "unanswered" } == [])
        try world.restart()
        try world.pass(.seconds(30))
        let told = world.published()
        #expect(told.news.filter { $0 == "unanswered" } == ["unanswered"])
        let alert = try #require(
            told.map { JSONValue.read($0.payload) }.first { $0["kind"]?.text == "unanswered" })
        #expect(alert["number"]?.text == "144" && alert["fix"] != nil)
        #expect(alert["text"]?.text?.contains("Please call 144 yourself.") == true)
        try world.pass(.seconds(300))
        #expect(world.published().news.filter { $0 == "unanswered" } == [])
        #expect(world.incident?["number"]?.text == "144")
    }

    @Test func `The first alert already has the right number`() throws {
        let world = try World.withWatchedAlice(Self.settings(.mqtt))
        try world.collapse()
        let alerts = world.published().map { JSONValue.read($0.payload) }
        #expect(alerts.first { $0["kind"]?.text == "in-need" }?["number"]?.text == "144")
    }

    @Test func `A webhook's reply counts as an answer`() throws {
        let world = try World.withWatchedAlice(Self.settings(Self.webhook, .mqtt))
        try world.collapse()
        try world.reportLast(.taken)
        #expect(world.incident == nil)
        try world.pass(.seconds(4))
        try world.reportLast(.failed(.unreachable))
        #expect(world.engine.counters.values["incident-calls-failed"] == 1)
        #expect(world.incident?["status"]?.text == "calling")
        try world.pass(.seconds(10))
        _ = world.published()
        let answer = try DispatchAnswer(Array(#"{"status":"acknowledged","by":"Desk 7"}"#.utf8))
        try world.reportLast(.answered(answer))
        #expect(world.published().news == ["assisted", "alice: help-acknowledged"])
        _ = world.calls()
        try world.pass(.seconds(60))
        #expect(world.calls() == [])
        // Her new positions are also sent there.
        try world.fix("alice", TestFix(101))
        try world.pass(.seconds(1))
        #expect(world.calls() == ["webhook 3"])
        #expect(try world.outcome("alice", "emergency.reactivate") == "ok")
        let last = try #require(world.engine.takeWork(DispatchCall.self).last)
        #expect(JSONValue.read(last.payload)["status"]?.text == "closed" && last.tries > 1)
        let id = try #require(JSONValue.read(last.payload)["id"]?.text)
        #expect(
            try world.ask("alice", "incident.list")["result"]?["incidents"]?.elements.first?["id"]?
                .text == id)
        // An answer after the end changes nothing.
        try world.turn(
            outcomes: [DispatchOutcome(last.key, by: last.way, .answered(answer))])
    }

    @Test func `A way that fails immediately is followed by the next without a pause`() throws {
        let world = try World.withWatchedAlice(
            Self.settings(Self.webhook, Self.command, Self.webhook))
        try world.collapse()
        let id = try #require(world.openIncident)
        #expect(world.calls() == ["webhook 1"])
        try world.reportLast(.failed(.refused), way: 0, of: id)
        #expect(world.calls() == ["command 1"])
        // A way that failed before does not affect the awaited one.
        try world.reportLast(.failed(.refused), way: 0, of: id)
        #expect(world.calls() == [])
        try world.reportLast(.failed(.timeout), way: 1, of: id)
        #expect(world.calls() == ["webhook 1"])
        _ = world.published()
        // The last way also has its time.
        try world.reportLast(.failed(.refused), way: 2, of: id)
        try world.pass(.seconds(4))
        #expect(world.calls() == ["webhook 2", "command 2", "webhook 2"])
        try world.pass(.seconds(10))
        #expect(world.published().news.filter { $0 == "unanswered" } == [])
        try world.pass(.seconds(10))
        #expect(world.published().news.filter { $0 == "unanswered" } == ["unanswered"])
    }

    @Test func `Calls outside the broker have age, gender and measurements`() throws {
        let world = try World.withWatchedAlice(Self.settings(Self.webhook, .mqtt))
        let profile =
            #"{"gender":"female","dateOfBirth":"1990-01-31","acceptPrivacyStatement":true}"#
        #expect(try world.outcome("alice", "health.profile", profile) == "ok")
        _ = world.published()
        try world.collapse()
        let call = try #require(world.engine.takeWork(DispatchCall.self).first)
        let payload = JSONValue.read(call.payload)
        #expect(payload["user"]?["gender"]?.text == "female")
        #expect(payload["user"]?["age"]?.integer != nil)
        #expect(payload["vitals"]?.elements.isEmpty == false)
        #expect(payload["cap"]?.text?.contains("heartRate\"") == false)
        #expect(world.published().allSatisfy { !$0.topic.hasSuffix("/vitals") })
        // Once the broker is the way.
        try world.reportLast(.failed(.refused), way: 0, of: try #require(world.openIncident))
        let told = world.published().filter { $0.topic.contains("/dispatch/incidents/") }
        #expect(told.count == 2)
        let incident = try #require(told.first { $0.retain })
        #expect(JSONValue.read(incident.payload)["vitals"] == nil)
        #expect(JSONValue.read(incident.payload)["user"]?["age"] == nil)
        let condition = try #require(told.first { !$0.retain })
        #expect(condition.topic.hasSuffix("/vitals"))
        #expect(JSONValue.read(condition.payload)["user"]?["gender"]?.text == "female")
        #expect(JSONValue.read(condition.payload)["vitals"]?.elements.isEmpty == false)
    }

    @Test func `A refusal is followed by the next way immediately and only once`() throws {
        let world = try World.withWatchedAlice(
            Self.settings(Self.webhook, Self.command, .mqtt))
        try world.collapse()
        let refusal = DispatchAnswer(.refused)
        try world.reportLast(.answered(refusal))
        #expect(world.calls() == ["command 1"])
        let id = try #require(world.openIncident)
        for _ in 1...5 {
            try world.turn(
                outcomes: [
                    DispatchOutcome(
                        .init(id, way: 0), by: Self.webhook, .answered(refusal))
                ])
        }
        #expect(world.calls() == [] && world.incident == nil)
        try world.pass(.seconds(4))
        #expect(world.calls() == ["webhook 2", "command 2"])
        try world.reportLast(.answered(refusal), way: 0, of: id)
        #expect(world.incident?["status"]?.text == "calling")
        let events = world.incident?["events"]?.elements.map { $0["event"]?.text }
        #expect(events?.allSatisfy { $0 == "refused" } == true)
    }

    @Test func `A program is not run for updates, but runs once more at the end`() throws {
        let world = try World.withWatchedAlice(Self.settings(Self.command))
        try world.collapse()
        #expect(world.calls() == ["command 1"])
        try world.fix("alice", TestFix(101))
        try world.pass(.seconds(3))
        try world.fix("alice", TestFix(102))
        #expect(world.calls() == ["command 2"])
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        #expect(world.calls() == ["command 2"])
    }

    @Test func `A person who moves into another area is called for there`() throws {
        var settings = Self.settings(.mqtt)
        // Where Alice is at first.
        let corners = try [(45.9, 14.0), (45.9, 15.0), (46.005, 15.0), (46.005, 14.0)].map {
            try #require(Coordinate(latitude: $0.0, longitude: $0.1))
        }
        let south = try #require(Region.Polygon(rings: [corners]))
        let here = DispatchAreas.Area(
            name: "here", number: "113", ways: [Self.webhook], region: Region([south]))
        settings.emergency.dispatchAreas = DispatchAreas(
            [here], elsewhere: settings.emergency.dispatchAreas.elsewhere)
        let world = try World.withWatchedAlice(settings)
        try world.collapse()
        let call = try #require(world.engine.takeWork(DispatchCall.self).first)
        let payload = JSONValue.read(call.payload)
        #expect(payload["number"]?.text == "113" && payload["area"]?.text == "here")
        #expect(world.incident == nil)
        try world.pass(.seconds(100))
        try world.fix("alice", TestFix(1_500))
        try world.pass(.seconds(10))
        #expect(world.incident?["number"]?.text == "144")
    }
}

extension World {
    /// The calls handed over since the last time, with the attempt.
    func calls() -> [String] {
        engine.takeWork(DispatchCall.self).map {
            "\($0.way.name) \(JSONValue.read($0.payload)["attempts"]?.integer ?? 0)"
        }
    }

    /// Reports the outcome of the last call.
    func reportLast(_ result: DispatchOutcome.Result) throws {
        let call = try #require(engine.takeWork(DispatchCall.self).last)
        try turn(
            outcomes: [DispatchOutcome(call.key, by: call.way, result)])
    }

    func reportLast(_ result: DispatchOutcome.Result, way: Int, of incident: UUIDv7) throws {
        let key = DispatchCall.Key(incident, way: way)
        try turn(outcomes: [DispatchOutcome(key, by: .mqtt, result)])
    }

    var openIncident: UUIDv7? {
        try? store.transaction { try $0.openIncidents().first?.id }
    }
}
