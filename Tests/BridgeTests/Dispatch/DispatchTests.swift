import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Dispatch is called until it answers, and receives the person's position.
struct DispatchTests {
    @Test func `An incident states who, where and why, but no vital signs`() throws {
        let world = try World.withWatchedAlice()
        try world.collapse()
        let incident = try #require(world.incident)
        #expect(incident["status"]?.text == "calling" && incident["attempts"]?.integer == 1)
        #expect(incident["user"]?["user"]?.text == "alice")
        #expect(incident["user"]?["name"]?.text == "Alice")
        #expect(incident["callback"]?.text == "+386 1 234 567")
        #expect(incident["fix"]?["latitude"] != nil)
        #expect(incident["reason"]?.text == "score" && incident["score"]?.integer == 9)
        #expect(
            incident["reasons"]?.elements.compactMap(\.text) == [
                "respiratoryRate far too low", "oxygenSaturation far too low",
                "heartRate far too low",
            ])
        let cap = try #require(incident["cap"]?.text)
        #expect(cap.contains("<msgType>Alert</msgType>"))
        for value in ["35", "85"] {
            #expect(!cap.contains(">\(value)<"))
        }
    }

    @Test func `Dispatch is called again after 5 s, then every 10 s, later once a minute`() throws {
        let world = try World.withWatchedAlice()
        try world.collapse()
        let start = world.now
        func attempts() -> Int64 { world.incident?["attempts"]?.integer ?? 0 }
        try world.pass(until: start + .seconds(2))
        #expect(attempts() == 1)
        try world.pass(.seconds(1))
        #expect(attempts() == 2)
        try world.pass(.seconds(9))
        #expect(attempts() == 2)
        try world.pass(.seconds(1))
        #expect(attempts() == 3)
        try world.restart()
        try world.pass(.seconds(10))
        #expect(attempts() == 4)
        try world.pass(.seconds(570))
        #expect(attempts() == 60 + 1)
        try world.pass(.seconds(120))
        #expect(attempts() == 63)
    }

    @Test func `An acknowledgement stops the calls and is shown to the groups`() throws {
        let world = try World.withWatchedAlice()
        try world.collapse()
        _ = world.published()
        try world.answer(#"{"status":"acknowledged","by":"Dispatcher 7","note":"On the way."}"#)
        #expect(world.published().news == ["assisted", "alice: help-acknowledged"])
        #expect(world.incident?["status"]?.text == "acknowledged")
        let event = world.incident?["events"]?.elements.first
        #expect(event?["by"]?.text == "Dispatcher 7" && event?["note"]?.text == "On the way.")
        #expect(world.state(of: "alice")["assistedAt"] != nil)
        #expect(try world.watched()["state"]?.text == "assisted")
        try world.pass(.seconds(120))
        #expect(world.incident?["attempts"]?.integer == 1)
        // A second acknowledgement changes nothing.
        try world.answer(#"{"status":"acknowledged"}"#)
        #expect(world.incident?["events"]?.elements.count == 1)
        // No new call is made until the person reactivates monitoring.
        _ = world.published()
        try world.collapse()
        #expect(world.published().news == [])
        try world.answer(#"{"status":"closed"}"#)
        #expect(world.incident == nil)
        #expect(try world.watched()["state"]?.text == "assisted")
        #expect(try world.outcome("alice", "emergency.reactivate") == "ok")
        #expect(world.state(of: "alice")["state"]?.text == "active")
        #expect(try world.outcome("alice", "emergency.reactivate") == "not-in-need")
        try world.collapse()
        #expect(try world.count("incidents") == 2)
    }

    @Test func `A refusal resumes the calls, also after an acknowledgement`() throws {
        let world = try World.withWatchedAlice()
        try world.collapse()
        try world.answer(#"{"status":"acknowledged"}"#)
        try world.answer(#"{"status":"refused","note":"No ambulance."}"#)
        #expect(world.incident?["status"]?.text == "calling")
        try world.pass(.seconds(5))
        #expect(world.incident?["attempts"]?.integer == 2)
    }

    @Test func `A person who needs no help calls it off with a cancel message`() throws {
        let world = try World.withWatchedAlice()
        try world.collapse()
        let id = try #require(world.incidentID)
        _ = world.published()
        #expect(try world.outcome("alice", "emergency.reactivate") == "ok")
        let told = world.published().filter { $0.topic == "kith/dispatch/incidents/\(id)" }
        #expect(told.map(\.payload.isEmpty) == [false, true])
        let last = JSONValue.read(told[0].payload)
        #expect(last["status"]?.text == "closed")
        #expect(last["events"]?.elements.last?["event"]?.text == "called-off")
        let cap = last["cap"]?.text ?? ""
        #expect(cap.contains("<msgType>Cancel</msgType>"))
        #expect(cap.contains("<references>kith,\(id).1,"))
        try world.pass(.seconds(120))
        #expect(world.incident == nil)
    }

    @Test func `Dispatch receives position updates, but not every step`() throws {
        let world = try World.withWatchedAlice()
        try world.collapse()
        for metres in 101...160 {
            try world.fix("alice", TestFix(metres))
            try world.pass(.seconds(1))
        }
        #expect(world.incident?["cap"]?.text?.contains("<msgType>Update</msgType>") == true)
        // A first position immediately, then one every ten seconds: with a call, or as an update.
        let messages = try #require(world.incident?["cap"]?.text)
            .firstMatch(of: /<identifier>[^<]+\.(\d+)</)
        #expect((6...9).contains(try #require(messages.flatMap { Int($0.1) })))
    }

    @Test func `Repeated calls have the newest position and read no vital signs again`() throws {
        let world = try World.withWatchedAlice()
        try world.collapse()
        #expect(world.published().count { $0.topic.hasSuffix("/vitals") } == 1)
        try world.pass(.seconds(60))
        #expect(world.published().allSatisfy { !$0.topic.hasSuffix("/vitals") })
        let log = try world.ask("alice", "access.log")["result"]?["entries"]?.elements ?? []
        #expect(log.map { $0["what"]?.text } == ["read-for-help", "called"])
        // Also when there are no more separate messages.
        for metres in 1...(BridgeSettings.maximumIncidentUpdates + 20) {
            try world.fix("alice", TestFix(metres))
            try world.pass(.seconds(11))
        }
        let last = BridgeSettings.maximumIncidentUpdates + 20
        try world.pass(.seconds(61))
        let cap = try #require(world.incident?["cap"]?.text)
        let number = try #require(cap.firstMatch(of: /<identifier>[^<]+\.(\d+)</)?.1)
        #expect(Int(number) == BridgeSettings.maximumIncidentUpdates)
        let latitude = try #require(world.incident?["fix"]?["latitude"]?.number)
        #expect(Meridian.meters(latitude: latitude) == last)
    }

    @Test(arguments: [
        ("{", "malformed"), ("{}", "invalid"), (#"{"status":"dead"}"#, "invalid"),
        (#"{"status":"closed","by":7}"#, "invalid"),
    ])
    func `An invalid answer gets an error and changes nothing`(payload: String, kind: String) throws
    {
        let world = try World.withWatchedAlice()
        try world.collapse()
        _ = world.published()
        try world.answer(payload)
        let told = world.published().filter { $0.topic.contains("/dispatch/") }
        #expect(told.map(\.topic) == ["kith/dispatch/rejected"])
        #expect(
            JSONValue.read(told[0].payload)["problem"]?["type"]?.text == "urn:kith:problem:\(kind)")
        #expect(world.incident?["status"]?.text == "calling")
        let other = UUIDv7(at: world.now, random: (1, 2))
        try world.send(world.message(.incidentAnswer(other), #"{"status":"closed"}"#))
        let unknown = try #require(world.published().last)
        #expect(
            JSONValue.read(unknown.payload)["problem"]?["type"]?.text
                == "urn:kith:problem:unknown-incident")
    }

    @Test func `Vital signs are published on request and not retained`() throws {
        let world = try World.withWatchedAlice()
        try world.collapse()
        let id = try #require(world.incidentID)
        _ = world.published()
        try world.send(world.message(.incidentVitalsRequest(id), "{}"))
        let told = try #require(
            world.published().first { $0.topic == "kith/dispatch/incidents/\(id)/vitals" })
        #expect(told.qos == .atMostOnce && !told.retain)
        #expect(
            JSONValue.read(told.payload)["vitals"]?.elements.first?["heartRate"]?.integer == 35)
        let log = try world.ask("alice", "access.log")["result"]?["entries"]?.elements ?? []
        #expect(log.map { $0["what"]?.text } == ["read-for-help", "read-for-help", "called"])
        #expect(log.first?["count"]?.integer == 2)
        try world.answer(#"{"status":"closed"}"#)
        _ = world.published()
        try world.send(world.message(.incidentVitalsRequest(id), "{}"))
        #expect(world.published().map(\.topic) == ["kith/dispatch/rejected"])
    }

    @Test func `A person can read their incident, which is deleted with the account`() throws {
        let world = try World.withWatchedAlice()
        try world.collapse()
        let id = try #require(world.incidentID)
        try world.answer(#"{"status":"acknowledged"}"#)
        let listed = try world.ask("alice", "incident.list")["result"]
        #expect(listed?["incidents"]?.elements.map { $0["id"]?.text } == ["\(id)"])
        #expect(try world.ask("bob", "incident.list")["result"]?["incidents"] == .array([]))
        let items = try world.exported("alice").map { $0["type"]?.text }
        for type in ["monitoring", "monitoring-consent", "incident"] {
            #expect(items.contains(type))
        }
        _ = world.published()
        try world.operate(.removeUser("alice"))
        let last = try #require(
            world.published().first { $0.topic.hasSuffix("\(id)") && !$0.payload.isEmpty })
        #expect(
            JSONValue.read(last.payload)["events"]?.elements.last?["event"]?.text
                == "account-deleted")
        try world.pass(.seconds(60))
        try world.sweep()
        #expect(try world.count("incidents") == 0 && world.incident == nil)
    }

    @Test func `A closed incident is kept for its retention`() throws {
        var settings = BridgeSettings()
        settings.retention.incidents = .seconds(86_400)
        let world = try World.withWatchedAlice(settings)
        try world.collapse()
        try world.pass(.seconds(2 * 86_400))
        try world.sweep()
        #expect(try world.count("incidents") == 1)
        try world.answer(#"{"status":"closed"}"#)
        try world.sweep()
        #expect(try world.count("incidents") == 1)
        try world.pass(.seconds(86_401))
        try world.sweep()
        #expect(try world.count("incidents") == 0)
    }
}
