import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The amount that a person can write to disk in a day.
struct QuotaTests {
    /// Uses up nearly all of the day's quota.
    private func useUp(_ kind: Usage.Kind, leaving rest: Int, of user: Name, _ world: World) throws
    {
        let now = world.now
        try world.ask(Sender(user.text), "account.get")
        try world.store.transaction { transaction in
            for row in try transaction.users() where row.name == user {
                guard var (saved, through) = try transaction.tracker(of: row.id) else { continue }
                var usage = saved.usage ?? Usage()
                for _ in 0..<(kind.quota.rows - rest) { _ = usage.note(kind, at: now) }
                saved.usage = usage
                through = try transaction.lastFix()
                try transaction.save(saved, through: through)
            }
        }
        try world.restart()
    }

    @Test func `Vital signs over the quota are not stored but still call for help`() throws {
        let world = try World.withWatchedAlice()
        try useUp(.fixes, leaving: 0, of: "alice", world)
        try world.collapse()
        #expect(try world.count("vitals") == 0)
        #expect(world.incident?["status"]?.text == "calling")
    }

    private func rejections(_ world: World) -> [JSONValue] {
        world.published().filter { $0.topic.hasSuffix("/rejected") }
            .map { JSONValue.read($0.payload) }
    }

    @Test func `Sharing refused over the quota does not turn storing back on`() throws {
        let world = try World.withFriends()
        try useUp(.fixes, leaving: 0, of: "alice", world)
        func share() throws -> String {
            let fix = TestFix(7).json(at: world.now)
            return try world.outcome("alice", "friend.share", "{\"with\":\"all\",\"fix\":\(fix)}")
        }
        #expect(try world.outcome("alice", "location.off", #"{"store":false}"#) == "ok")
        while try share() == "ok" {
            #expect(try world.outcome("alice", "location.off", #"{"store":false}"#) == "ok")
        }
        #expect(try world.ask("alice", "account.get")["result"]?["storing"] == .bool(false))
    }

    @Test func `Fixes over the quota are stored every ten seconds, and the others rejected`() throws
    {
        let world = try World.withFamily()
        try useUp(.fixes, leaving: 2, of: "alice", world)
        _ = world.published()
        for number in 1...25 {
            try world.pass(.seconds(1))
            try world.fix("alice", TestFix(number, seq: Int64(number)))
        }
        #expect(try world.count("fixes") == 4)
        let published = world.published()
        let refused = published.filter { $0.topic.hasSuffix("/rejected") }
            .map { JSONValue.read($0.payload) }
        #expect(refused.count == 21)
        #expect(refused.allSatisfy { $0["problem"]?.problemWords == "too-many" })
        #expect(
            refused.first?["problem"]?["detail"]?.text
                == "The daily quota of fixes is used up: until 2026-05-02T00:00:00.000Z "
                + "one is accepted every 10 s.")
        // Receipts continue.
        let stored = published.last { $0.topic.hasSuffix("/stored") }
        #expect(stored.map { JSONValue.read($0.payload)["seq"]?.integer } == 25)
        #expect(world.engine.metrics["quotas-reached-fixes"] == 1)
        // Others are not affected, and the next day starts a new quota.
        try world.fix("bob", TestFix(1), TestFix(2, ago: 1))
        #expect(try world.count("fixes") == 6)
        world.sleep(.seconds(86_400))
        try world.fix("alice", TestFix(1), TestFix(2, ago: 1))
        #expect(try world.count("fixes") == 8)
    }

    @Test func `Rejected fixes of an array are reported once, without the known ones`() throws {
        let world = try World.withFamily()
        try world.fix("alice", TestFix(5, ago: 100, seq: 1))
        let known = TestFix(5, ago: 100, seq: 1).json(at: world.now)
        try useUp(.fixes, leaving: 0, of: "alice", world)
        _ = world.published()
        let new = (1...50).map {
            TestFix($0, ago: Double($0), seq: Int64($0 + 1)).json(at: world.now)
        }
        try world.send(
            world.fixMessage("alice", "[\(([known] + new).joined(separator: ","))]"))
        let told = rejections(world)
        #expect(told.count == 1)
        #expect(told.first?["seq"]?.elements.compactMap(\.integer) == Array(2...51))
    }

    @Test func `An SOS over all quotas is still alerted, with its position`() throws {
        let world = try World.withFamily()
        for kind in Usage.Kind.allCases { try useUp(kind, leaving: 0, of: "alice", world) }
        _ = world.published()
        try world.fix("alice", TestFix(1))
        let fix = TestFix(7).json(at: world.now)
        #expect(try world.outcome("alice", "sos.trigger", #"{"fix":\#(fix)}"#) == "ok")
        let alert = try #require(world.published().last { $0.topic.hasSuffix("/alerts") })
        #expect(JSONValue.read(alert.payload)["kind"]?.text == "sos")
        #expect(JSONValue.read(alert.payload)["fix"]?.fixMeters == 7)
        #expect(world.segments(of: "alice").flatMap(\.segmentMeters) == [7])
    }

    @Test func `An OwnTracks SOS over all quotas is still alerted, with its position`() throws {
        let world = try World.withFamily()
        for kind in Usage.Kind.allCases { try useUp(kind, leaving: 0, of: "alice", world) }
        _ = world.published()
        try world.send(
            world.ownTracks("alice/app", Phone.location(3, at: world.now, #","poi":"SOS""#)))
        let alert = try #require(world.published().last { $0.topic.hasSuffix("/alerts") })
        #expect(JSONValue.read(alert.payload)["kind"]?.text == "sos")
        #expect(JSONValue.read(alert.payload)["fix"]?.fixMeters == 3)
    }

    @Test func `An SOS over the quota of alerts can be started but not ended`() throws {
        let world = try World.withFamily()
        try useUp(.alerts, leaving: 4, of: "alice", world)
        var outcomes: [String] = []
        for _ in 1...3 {
            outcomes.append(try world.outcome("alice", "sos.trigger"))
            outcomes.append(try world.outcome("alice", "sos.stop"))
        }
        #expect(outcomes == ["ok", "ok", "ok", "ok", "ok", "too-many"])
        #expect(try world.outcome("alice", "sos.stop") == "too-many")
        world.sleep(.seconds(600))
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        let journey =
            #"{"groups":"all","destination":{"latitude":46,"longitude":14},"#
            + #""eta":"\#((world.now + .seconds(600)).rfc3339)"}"#
        #expect(try world.outcome("alice", "journey.start", journey) == "too-many")
        #expect(world.engine.metrics["quotas-reached-alerts"] == 1)
    }

    @Test func `Chat and group changes over the quota are refused, but removals are not`() throws {
        let world = try World.withFamily()
        for kind in [Usage.Kind.messages, .changes] {
            try useUp(kind, leaving: 1, of: "alice", world)
        }
        let message = #"{"group":"$family","text":"hello"}"#
        #expect(try world.outcome("alice", "chat.send", message) == "ok")
        #expect(try world.outcome("alice", "chat.send", message) == "too-many")
        let name = #"{"group":"$family","name":"Home"}"#
        #expect(try world.outcome("alice", "group.rename", name) == "ok")
        #expect(try world.outcome("alice", "group.rename", name) == "too-many")
        #expect(try world.outcome("alice", "group.create", #"{"name":"x"}"#) == "too-many")
        #expect(
            try world.outcome("alice", "group.remove", #"{"group":"$family","user":"bob"}"#)
                == "ok")
    }

    @Test func `Requests that revoke access are performed even over the reply quota`() throws {
        let world = try World.withFamily()
        try useUp(.answers, leaving: 0, of: "alice", world)
        #expect(try world.outcome("alice", "group.list") == "too-many")
        #expect(try world.outcome("alice", "location.off") == "ok")
        #expect(try world.outcome("alice", "sharing.stop", #"{"groups":"all"}"#) == "ok")
        #expect(try world.outcome("alice", "device.revoke", #"{"device":"phone"}"#) == "ok")
    }

    /// Notes that a member joins, connects or disconnects are not written by that member.
    @Test func `Chat notes by the service do not count as the member's messages`() throws {
        let world = try World.withFamily()
        for number in 1...12 {
            let name = #"{"group":"$family","name":"Home\#(number)"}"#
            #expect(try world.outcome("alice", "group.rename", name) == "ok")
        }
        let message = #"{"group":"$family","text":"hello"}"#
        for _ in 1...10 { #expect(try world.outcome("alice", "chat.send", message) == "ok") }
        #expect(try world.outcome("alice", "chat.send", message) == "too-many")
    }

    @Test func `Quota usage survives a crash`() throws {
        let world = try World.withFamily()
        try useUp(.fixes, leaving: 30, of: "alice", world)
        for number in 1...30 {
            world.sleep(.milliseconds(100))
            try world.fix("alice", TestFix(number))
        }
        try world.restart()
        world.sleep(.milliseconds(100))
        try world.fix("alice", TestFix(31))
        #expect(try world.count("fixes") == 30)
    }

    @Test func `Stored OwnTracks calls are limited like replies`() throws {
        let world = try World.withFamily()
        for number in 0..<1300 {
            let time = world.now.milliseconds / 1000 - Int64(number % 3000)
            try world.send(
                world.ownTracks(
                    "alice/app",
                    Phone.location(number, at: world.now, #","poi":"SOS","created_at":\#(time)"#)))
        }
        #expect(try world.count("replies") <= 1100)
    }
}
