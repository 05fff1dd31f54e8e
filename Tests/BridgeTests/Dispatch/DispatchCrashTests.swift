import Contract
import EarlyWarning
import JSON
import MQTT
import Sealing
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The bridge crashes at any point of a call for help.
struct DispatchCrashTests {
    /// The turn with the sample is the one that calls.
    private var settings: BridgeSettings {
        var settings = BridgeSettings()
        settings.emergency.limits.scoreFor = .zero
        return settings
    }

    private func sample(_ world: World) -> Message {
        world.vitalsMessage(
            "alice/watch",
            """
            {"timestamp":\(world.now.milliseconds),"heartRate":35,"oxygenSaturation":85,\
            "respiratoryRate":7}
            """)
    }

    /// Checks the state a moment after the restart.
    private func check(_ world: World, _ place: String) throws {
        #expect(world.incident?["status"]?.text == "calling", "\(place)")
        #expect(world.state(of: "alice")["state"]?.text == "sos", "\(place)")
        #expect(try world.count("incidents") == 1, "\(place)")
        #expect(try world.watched()["state"]?.text == "in-need", "\(place)")
        let alerts =
            try world.ask("bob", "alert.list", #"{"group":"$family"}"#)["result"]?[
                "alerts"]?.elements ?? []
        #expect(alerts.count { $0["kind"]?.text == "in-need" } == 1, "\(place)")
        #expect(try world.integers("SELECT COUNT(*) FROM vitals") == [1], "\(place)")
        let calls = world.incident?["attempts"]?.integer ?? 0
        try world.pass(.seconds(5))
        #expect((world.incident?["attempts"]?.integer ?? 0) > calls, "\(place)")
    }

    @Test func `A crash at any statement stores nothing, and the sample is sent again`() throws {
        var statements = 0
        while true {
            let faults = Faults()
            let world = try World.withWatchedAlice(settings, wrap: { FailingDriver($0, faults) })
            let sample = sample(world)
            faults.statementsLeft = statements
            do {
                try world.send(sample)
                faults.statementsLeft = nil
                break
            } catch is StoreError {
                faults.statementsLeft = nil
            }
            #expect(try world.count("incidents") == 0 && world.incident == nil)
            try world.restart()
            try world.send(sample)
            try check(world, "statement \(statements)")
            statements += 1
        }
        #expect(statements > 20, "the turn has so many")
    }

    @Test func `A crash after the commit sends the call after the restart`() throws {
        let world = try World.withWatchedAlice(settings)
        try world.crashAfterCommit(of: [sample(world)])
        try check(world, "after the commit")
    }

    @Test func `An incident that no key opens does not prevent a new call`() throws {
        let world = try World.withWatchedAlice(settings)
        try world.collapse()
        let lost = try #require(world.incidentID)
        let others = try #require(SealingKeys("2 " + String(repeating: "B", count: 42) + "A"))
        try world.restart(keys: others)
        #expect(world.incident == nil, "nobody knows what it was about")
        try world.send(sample(world))
        #expect(world.incident?["status"]?.text == "calling" && world.incidentID != lost)
        #expect(world.engine.counters.values["incidents-unreadable"] == 1)
        #expect(try world.count("incidents", where: "closed_at_ms IS NULL") == 1)
    }

    @Test func `A crash at any statement of the answer acknowledges it once`() throws {
        var statements = 0
        while true {
            let faults = Faults()
            let world = try World.withWatchedAlice(settings, wrap: { FailingDriver($0, faults) })
            try world.collapse()
            let id = try #require(world.incidentID)
            let answer = world.message(.incidentAnswer(id), #"{"status":"acknowledged"}"#)
            faults.statementsLeft = statements
            do {
                try world.send(answer)
                faults.statementsLeft = nil
                break
            } catch is StoreError {
                faults.statementsLeft = nil
            }
            try world.restart()
            #expect(world.incident?["status"]?.text == "calling")
            try world.send(answer)
            #expect(world.incident?["status"]?.text == "acknowledged")
            #expect(world.incident?["events"]?.elements.count == 1)
            #expect(try world.watched()["state"]?.text == "assisted")
            statements += 1
        }
        #expect(statements > 5, "the turn has so many")
    }
}
