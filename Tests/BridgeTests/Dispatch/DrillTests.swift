import Contract
import JSON
import MQTT
import Store
import Testing
import Tracking

@testable import Bridge

/// Drills show operators whether the ways to dispatch work.
struct DrillTests {
    private static func settings(every: Duration? = nil) -> BridgeSettings {
        var settings = BridgeSettings()
        let webhook = DispatchWay.webhook(
            url: "https://dispatch.example", secret: "whsec_" + String(repeating: "A", count: 32))
        settings.emergency.dispatchAreas = DispatchAreas(
            elsewhere: .init(
                name: "valley", number: "112", ways: [.mqtt, webhook, .command(["/bin/true"])]))
        settings.emergency.drillEvery = every
        return settings
    }

    private func begin(_ world: World, area: String? = nil) throws -> UUIDv7 {
        let reply = try #require(try world.operate(.drill(area: area)).first)
        return try #require(
            reply["result"]?["drills"]?.elements.first?.text.flatMap { UUIDv7($0) }, "\(reply)")
    }

    private func results(_ world: World, _ id: UUIDv7) throws -> [String] {
        let drill = try world.store.transaction { try $0.drill(id) }
        return try #require(drill).ways.map { "\($0.name) \($0.result.rawValue)" }
    }

    @Test func `A drill calls all ways at once and ends when each has answered`() throws {
        let world = try World.withFamily(Self.settings())
        let id = try begin(world)
        #expect(world.calls() == ["webhook 1", "command 1"])
        let told = try #require(world.incident)
        #expect(told["drill"]?.text == "exercise" && told["user"]?["user"]?.text == "kith:drill")
        #expect(told["cap"]?.text?.contains("<status>Exercise</status>") == true)
        #expect(try results(world, id) == ["mqtt calling", "webhook calling", "command calling"])
        try world.answer(#"{"status":"acknowledged"}"#)
        try world.reportLast(.taken, way: 1, of: id)
        try world.reportLast(.failed(.unreachable), way: 2, of: id)
        #expect(
            try results(world, id) == ["mqtt answered", "webhook taken", "command unreachable"])
        try world.restart()
        try world.pass(.seconds(5))
        // A way that has answered is not called again.
        #expect(world.calls() == ["webhook 2", "command 2"])
        for way in 1...2 {
            try world.reportLast(.answered(DispatchAnswer(.refused)), way: way, of: id)
        }
        #expect(
            try results(world, id) == ["mqtt answered", "webhook answered", "command answered"])
        #expect(world.incident == nil)
        #expect(world.calls() == ["webhook 2", "command 2"], "they are notified of the end")
        #expect(world.engine.counters.values["drill-ways-unanswered"] == 0)
        #expect(!world.concerns.isDrillUnanswered)
        try world.pass(.seconds(300))
        #expect(world.calls() == [])
    }

    @Test func `Ways that do not answer within two minutes are counted and reported`() throws {
        let world = try World.withFamily(Self.settings())
        let id = try begin(world)
        #expect(
            try world.operate(.drill(area: nil)).first?["problem"]?["type"]?.text
                == "urn:kith:problem:too-many")
        try world.pass(.seconds(130))
        #expect(try results(world, id) == ["mqtt calling", "webhook calling", "command calling"])
        #expect(world.incident == nil && world.concerns.isDrillUnanswered)
        #expect(world.engine.counters.values["drill-ways-unanswered"] == 3)
        try world.restart()
        #expect(world.concerns.isDrillUnanswered)
        #expect(
            try world.operate(.drill(area: "sea")).first?["problem"]?["type"]?.text
                == "urn:kith:problem:invalid")
    }

    @Test func `A scheduled drill is a test, once per interval, also across restarts`() throws {
        let world = try World.withFamily(Self.settings(every: .seconds(7 * 86_400)))
        try world.pass(.seconds(10))
        #expect(world.incident?["drill"]?.text == "test")
        #expect(world.incident?["cap"]?.text?.contains("<status>Test</status>") == true)
        try world.pass(.seconds(200))
        #expect(try world.count("drills") == 1)
        try world.restart()
        try world.pass(.seconds(6 * 86_400))
        #expect(try world.count("drills") == 1)
        try world.pass(.seconds(86_400))
        #expect(try world.count("drills") == 2)
    }

    @Test func `Missing vital signs of all watched people are a concern`() throws {
        let world = try World.withWatchedAlice()
        #expect(!world.concerns.isMonitoringIdle)
        try world.pass(.seconds(59))
        try world.measure(#""heartRate":70"#)
        try world.pass(.seconds(59))
        #expect(!world.concerns.isMonitoringIdle)
        try world.pass(.seconds(2))
        #expect(world.concerns.isMonitoringIdle)
        try world.measure(#""heartRate":70"#)
        #expect(!world.concerns.isMonitoringIdle)
        try world.pass(.seconds(61))
        #expect(try world.outcome("alice", "emergency.unsubscribe") == "ok")
        #expect(!world.concerns.isMonitoringIdle, "nobody is watched")
    }

    @Test func `Disconnected dispatch is a concern while people are watched`() throws {
        let world = try World.withWatchedAlice()
        func isAbsent(_ report: ConnectionReport) throws -> Bool {
            try world.report(report)
            return world.concerns.list.contains(.dispatchAbsent)
        }
        #expect(!world.concerns.isDispatchAbsent, "nothing is known")
        let old = ConnectionReport.all([], isFirst: true, isLast: true, gate: "0.0.9 (old)")
        #expect(try !isAbsent(old), "that gate says nothing of it")
        let none = ConnectionReport.all([], isFirst: true, isLast: true, gate: kithVersionText)
        #expect(try isAbsent(none))
        #expect(try !isAbsent(.connected(.dispatch)))
        #expect(try isAbsent(.disconnected(.dispatch)))
        #expect(
            try !isAbsent(
                .all([.dispatch], isFirst: true, isLast: true, gate: kithVersionText)))
        #expect(try isAbsent(none))
        #expect(try world.outcome("alice", "emergency.unsubscribe") == "ok")
        #expect(!world.concerns.isDispatchAbsent, "nobody is watched")
    }

    @Test func `Dispatch called by a program first need not be connected`() throws {
        var settings = BridgeSettings()
        settings.emergency.dispatchAreas = DispatchAreas(
            elsewhere: .init(
                name: "everywhere", number: "112", ways: [.command(["/bin/true"]), .mqtt]))
        let world = try World.withWatchedAlice(settings)
        try world.report(.all([], isFirst: true, isLast: true, gate: kithVersionText))
        #expect(!world.concerns.isDispatchAbsent)
    }

    @Test func `A drill leaves no trace in alerts, incidents or access logs`() throws {
        let world = try World.withWatchedAlice(Self.settings())
        _ = try begin(world)
        #expect(world.published().news == [])
        #expect(try world.count("incidents") == 0)
        #expect(try world.ask("alice", "access.log")["result"]?["entries"] == .array([]))
    }

    @Test func `Old drills are swept except the last`() throws {
        var settings = Self.settings()
        settings.retention.incidents = .seconds(86_400)
        let world = try World.withFamily(settings)
        for _ in 1...2 {
            _ = try begin(world)
            try world.pass(.seconds(200_000))
        }
        try world.sweep()
        #expect(try world.count("drills") == 1)
        #expect(try world.count("drill_ways") == 3)
    }
}

extension World {
    var concerns: Concerns { engine.concerns(at: now, listeningSince: listeningSince) }
}
