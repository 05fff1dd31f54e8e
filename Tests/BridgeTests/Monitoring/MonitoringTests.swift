import Contract
import JSON
import Sealing
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// A person whose vital signs are watched is asked, and help is called.
struct MonitoringTests {
    // MARK: Subscribing

    @Test func `Monitoring needs consent and lists the missing vital signs`() throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", "emergency.subscribe") == "no-consent")
        #expect(try world.watched()["state"]?.text == "off")
        #expect(try world.outcome("alice", "emergency.fine") == "not-monitored")
        #expect(try world.outcome("alice", "emergency.unsubscribe") == "not-monitored")
        #expect(try world.outcome("alice", "vitals.consent") == "ok")
        let since = world.now
        let first = try world.ask("alice", "emergency.subscribe")["result"]
        #expect(first?["state"]?.text == "watching" && first?["since"]?.text == since.rfc3339)
        #expect(first?["missing"]?.elements.count == 6)
        world.sleep(.seconds(5))
        try world.measure(#""heartRate":72,"consciousness":"alert""#)
        let again = try world.ask("alice", "emergency.subscribe", #"{"phone":"112 233"}"#)["result"]
        #expect(again?["since"]?.text == since.rfc3339)
        #expect(again?["phone"]?.text == "112 233")
        #expect(
            again?["missing"]?.elements.compactMap(\.text) == [
                "respiratoryRate", "oxygenSaturation", "systolicPressure", "bodyTemperature",
            ])
        #expect(try world.count("monitoring_consents") == 1)
        let consents = try world.ask("alice", "consent.list")["result"]
        #expect(consents?["monitoringSince"]?.text == since.rfc3339)
    }

    @Test(arguments: [
        (#"{"phone":"12"}"#, "phone must be a telephone number of 3 to 20 digits"),
        (#"{"phone":"call me"}"#, "phone must be a telephone number of 3 to 20 digits"),
        (#"{"phone":7}"#, "phone must be a string"),
    ])
    func `An invalid telephone number is rejected`(fields: String, reason: String) throws {
        let world = try World.withWatchedAlice()
        #expect(
            try world.outcome("alice", "emergency.subscribe", fields) == "invalid: \(reason)")
    }

    @Test func `A user's own thresholds replace the chart and can be removed`() throws {
        let world = try World.withWatchedAlice()
        func thresholds(_ fields: String) throws -> JSONValue? {
            try world.ask("alice", "emergency.thresholds", #"{"thresholds":\#(fields)}"#)[
                "result"]?["thresholds"]
        }
        _ = try thresholds(#"{"heartRate":{"low":30,"high":150},"bodyTemperature":{"high":40}}"#)
        let changed = try thresholds(#"{"bodyTemperature":null}"#)
        #expect(changed == JSONValue.read(Array(#"{"heartRate":{"low":30,"high":150}}"#.utf8)))
        try world.measure(#""heartRate":35"#)
        #expect(try world.watched()["score"]?.integer == 0)
        try world.restart()
        world.sleep(.seconds(1))
        try world.measure(#""heartRate":28"#)
        #expect(try world.watched()["state"]?.text == "asked")
    }

    @Test(arguments: [
        (#"{"heartRate":{}}"#, "thresholds.heartRate must have low or high"),
        (
            #"{"heartRate":{"low":90,"high":90}}"#,
            "thresholds.heartRate.low must be less than high"
        ),
        (#"{"heartRate":{"low":0}}"#, "thresholds.heartRate.low must be from 1 to 500"),
        (#"{"oxygenSaturation":5}"#, "thresholds.oxygenSaturation must be an object"),
    ])
    func `Invalid thresholds are rejected`(fields: String, reason: String) throws {
        let world = try World.withWatchedAlice()
        let outcome = try world.outcome(
            "alice", "emergency.thresholds", #"{"thresholds":\#(fields)}"#)
        #expect(outcome.hasPrefix("invalid: \(reason)"), "\(outcome)")
    }

    @Test func `Every change to monitoring notifies the person`() throws {
        let world = try World.withWatchedAlice()
        _ = try world.ask(
            "alice", "emergency.thresholds", #"{"thresholds":{"heartRate":{"high":400}}}"#)
        _ = try world.ask("alice", "emergency.unsubscribe")
        _ = try world.ask("alice", "emergency.subscribe")
        #expect(
            world.published().news == [
                "alice: monitoring-changed", "alice: monitoring-ended", "alice: monitoring-started",
            ])
    }

    // MARK: Asking

    @Test func `An unusual value asks the person, who is left alone after answering`() throws {
        let world = try World.withWatchedAlice()
        try world.measure(#""heartRate":140"#)
        let notice = try #require(world.published().last { $0.topic.hasSuffix("/notices") })
        #expect(JSONValue.read(notice.payload)["kind"]?.text == "are-you-all-right")
        let until = (world.now + .seconds(30)).rfc3339
        #expect(JSONValue.read(notice.payload)["until"]?.text == until)
        try world.restart()
        let kept = try world.ask("alice", "notice.list")["result"]?["notices"]?.elements.first {
            $0["kind"]?.text == "are-you-all-right"
        }
        for notice in [JSONValue.read(notice.payload), try #require(kept)] {
            #expect(notice["reasons"]?.elements.map(\.text) == ["heartRate far too high"])
        }
        _ = world.published()
        #expect(try world.watched()["askedUntil"]?.text == until)
        try world.pass(.seconds(20))
        #expect(try world.outcome("alice", "emergency.fine") == "ok")
        #expect(try world.outcome("alice", "emergency.fine") == "not-asked")
        for _ in 1...5 {
            try world.measure(#""heartRate":140"#)
            try world.pass(.seconds(20))
        }
        #expect(world.published().news == [])
        #expect(world.incident == nil && world.state(of: "alice")["state"]?.text == "inactive")
    }

    @Test func `An unanswered question means in need, even if the service was away`() throws {
        for isAway in [false, true] {
            let world = try World.withWatchedAlice()
            try world.measure(#""heartRate":140"#)
            if isAway {
                world.sleep(.seconds(40))
                try world.restart()
                try world.pass(.milliseconds(1))
            } else {
                try world.pass(.seconds(29))
                #expect(world.incident == nil)
                try world.pass(.seconds(1))
            }
            // Messages that the broker had not confirmed are sent again.
            #expect(
                Set(world.published().news) == [
                    "alice: are-you-all-right", "in-need", "alice: help-called",
                ])
            #expect(world.incident?["reason"]?.text == "unanswered")
            #expect(world.state(of: "alice")["cause"]?.text == "vital-signs")
        }
    }

    @Test func `A wrong value followed by normal ones calls no help`() throws {
        let world = try World.withWatchedAlice()
        try world.measure(#""heartRate":30"#)
        for _ in 1...12 {
            world.sleep(.seconds(1))
            try world.measure(#""heartRate":70"#)
        }
        #expect(
            world.published().news == ["alice: are-you-all-right", "alice: question-over"])
        #expect(world.incident == nil)
    }

    // MARK: In need

    @Test func `Being in need starts an SOS with alerts, path and dispatch`() throws {
        let world = try World.withWatchedAlice()
        try world.collapse()
        #expect(
            world.published().news == ["alice: are-you-all-right", "in-need", "alice: help-called"])
        #expect(world.state(of: "alice")["state"]?.text == "sos")
        let alert = try world.ask("bob", "alert.list", #"{"group":"$family"}"#)["result"]?[
            "alerts"]?.elements.first
        #expect(alert?["fix"] != nil && alert?["fixAge"]?.integer == 4)
        #expect(
            alert?["text"]?.text
                == "Alice may need medical help, according to their vital signs.")
        // Repeated until another member acknowledges it; the person's own does not count.
        let id = try #require(alert?["id"]?.text)
        #expect(try world.outcome("alice", "alert.acknowledge", #"{"alert":"\#(id)"}"#) == "ok")
        try world.pass(.seconds(61))
        #expect(world.published().news == ["unanswered", "alice: help-unanswered", "in-need"])
        #expect(try world.outcome("bob", "alert.acknowledge", #"{"alert":"\#(id)"}"#) == "ok")
        _ = world.published()
        try world.pass(.seconds(130))
        #expect(world.published().news == [])
        // New samples are stored, but do not call again.
        try world.collapse()
        #expect(world.published().news == [])
        #expect(try world.count("incidents") == 1)
    }

    @Test func `A member in need cannot be removed by another`() throws {
        let world = try World.withWatchedAlice()
        try world.collapse()
        let removal = #"{"group":"$family","user":"alice"}"#
        #expect(try world.outcome("bob", "group.remove", removal) == "already-in-sos")
    }

    @Test func `A person without groups still gets help from dispatch`() throws {
        let world = try World()
        try world.addUsers("alice")
        _ = try world.ask("alice", "vitals.consent")
        _ = try world.ask("alice", "emergency.subscribe")
        try world.collapse()
        #expect(world.incident?["status"]?.text == "calling")
        #expect(world.incident?["fix"] == .null)
        #expect(try world.outcome("alice", "emergency.reactivate") == "ok")
        #expect(world.incident == nil)
    }

    @Test func `Ending the SOS calls off help, and the same values do not call again`() throws {
        let world = try World.withWatchedAlice()
        try world.collapse()
        _ = world.published()
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        #expect(world.published().news == ["sos-stopped", "alice: help-called-off"])
        #expect(world.incident == nil)
        #expect(try world.watched()["state"]?.text == "watching")
        try world.collapse()
        #expect(world.incident == nil)
        try world.measure(#""consciousness":"cvpu","systolicPressure":70"#)
        try world.pass(.seconds(4))
        #expect(world.incident?["status"]?.text == "calling")
    }

    @Test func `A manual SOS continues when monitoring is reactivated`() throws {
        let world = try World.withWatchedAlice()
        #expect(try world.outcome("alice", "sos.trigger") == "ok")
        _ = world.published()
        try world.collapse()
        #expect(
            world.published().news == ["alice: are-you-all-right", "in-need", "alice: help-called"])
        #expect(world.state(of: "alice")["cause"]?.text == "person")
        #expect(try world.outcome("alice", "emergency.reactivate") == "ok")
        #expect(world.state(of: "alice")["state"]?.text == "sos")
    }

    // MARK: Ending

    @Test func `Unsubscribing or withdrawing consent does not call off help`() throws {
        for method in ["emergency.unsubscribe", "vitals.withdraw"] {
            let world = try World.withWatchedAlice()
            try world.collapse()
            #expect(try world.outcome("alice", method) == "ok")
            #expect(try world.watched()["state"]?.text == "off")
            #expect(world.incident?["status"]?.text == "calling")
            #expect(try world.count("monitors") == 0)
            #expect(try world.count("monitoring_consents", where: "ended_at_ms > 0") == 1)
            #expect(try world.outcome("alice", "emergency.reactivate") == "ok")
            #expect(world.incident == nil)
            #expect(world.state(of: "alice")["state"]?.text == "active")
        }
    }

    @Test func `Stored monitoring data is encrypted, survives and moves to a new key`() throws {
        let world = try World.withWatchedAlice()
        try world.measure(#""heartRate":140"#)
        var random = SystemRandomNumberGenerator()
        let line = "1 " + String(repeating: "A", count: 43)
        try world.restart(
            keys: SealingKeys(line + "\n" + SealingKeys.newLine(2, using: &random)))
        try world.turn()
        #expect(try world.watched()["state"]?.text == "asked")
        #expect(try world.watched()["phone"]?.text == "+386 1 234 567")
        #expect(try world.integers("SELECT key_id FROM monitors") == [2])
        let row = try #require(
            try world.store.transaction { try $0.monitors().first })
        #expect(!row.sealed.bytes.contains(Array("pulse".utf8)))
    }

    // MARK: Silence

    @Test func `Missing samples notify the person, then their groups without a position`() throws {
        let world = try World.withWatchedAlice()
        try world.pass(.seconds(601))
        #expect(world.published().news.filter { $0.contains("vitals") } == ["alice: vitals-silent"])
        try world.pass(.seconds(1_200))
        let told = world.published()
        #expect(
            told.news.filter { $0.contains("vitals") } == ["alice: vitals-silent", "vitals-silent"])
        let alert = try #require(told.first { $0.topic.hasSuffix("/alerts") })
        #expect(JSONValue.read(alert.payload)["fix"] == nil)
        try world.measure(#""heartRate":70"#)
        #expect(
            world.published().news.filter { $0.contains("vitals") } == [
                "alice: vitals-back", "vitals-back",
            ])
    }

    // MARK: No reading

    /// Values of a watch, an oximeter, a thermometer and a cuff that are not worn.
    private static let unworn = [
        #""heartRate":255"#, #""heartRate":0"#, #""heartRate":-1"#, #""heartRate":65535"#,
        #""oxygenSaturation":0"#, #""oxygenSaturation":1"#, #""oxygenSaturation":127"#,
        #""respiratoryRate":0"#, #""respiratoryRate":127"#, #""respiratoryRate":255"#,
        #""systolicPressure":255,"diastolicPressure":255"#, #""systolicPressure":2047"#,
        #""bodyTemperature":655.35"#, #""bodyTemperature":0"#,
        #""heartRate":255,"oxygenSaturation":255,"respiratoryRate":255,"activity":"rest""#,
    ]

    @Test(arguments: unworn)
    func `Values that mean "no reading" neither ask the person nor call for help`(_ values: String)
        throws
    {
        let world = try World.withWatchedAlice()
        for rate in 66...71 {
            try world.measure(#""heartRate":\#(rate)"#)
            world.sleep(.seconds(1))
        }
        let evaluations = world.engine.counters.values["monitoring-evaluations"]
        for _ in 1...60 {
            try world.measure(values)
            try world.pass(.seconds(1))
        }
        #expect(world.published().news == [])
        #expect(world.incident == nil)
        #expect(try world.watched()["score"]?.integer == 0)
        if !values.contains("activity") {
            #expect(world.engine.counters.values["monitoring-evaluations"] == evaluations)
        }
    }

    @Test(arguments: unworn)
    func `Ten minutes of values that mean "no reading" count as silence`(_ values: String) throws {
        let world = try World.withWatchedAlice()
        try world.measure(#""heartRate":70"#)
        for _ in 1...21 {
            try world.pass(.seconds(30))
            try world.measure(values)
        }
        #expect(world.published().news.filter { $0.contains("vitals") } == ["alice: vitals-silent"])
        #expect(try world.watched()["missing"]?.elements.count == 6)
    }

    @Test func `Taking the watch off while asked does not count as an answer`() throws {
        let world = try World.withWatchedAlice()
        try world.measure(#""heartRate":140"#)
        for _ in 1...31 {
            try world.pass(.seconds(1))
            try world.measure(#""heartRate":255"#)
        }
        #expect(
            world.published().news == ["alice: are-you-all-right", "in-need", "alice: help-called"])
        #expect(world.incident?["reason"]?.text == "unanswered")
    }
}
