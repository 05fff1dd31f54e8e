import Base64
import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// `account.export`: everything, in pages.
struct ExportTests {
    private func pages(
        _ world: World, _ sender: Sender = "alice", between: () throws -> Void = {}
    ) throws -> [[JSONValue]] {
        var (pages, cursor) = ([[JSONValue]](), "")
        while pages.count < 1000 {
            let request = world.requestMessage(sender, "account.export", "{\(cursor)}")
            let answer = try #require(
                try world.turn([request]).first { $0.topic.contains("/replies") })
            #expect(answer.payload.count < 60 * 1024)
            let reply = JSONValue.read(answer.payload)
            #expect(reply.outcome == "ok")
            pages.append(reply["result"]?["items"]?.elements ?? [])
            guard let next = reply["result"]?["next"]?.text else { return pages }
            cursor = "\"cursor\":\"\(next)\""
            try between()
        }
        Issue.record("it has no end")
        return pages
    }

    private func items(_ pages: [[JSONValue]], _ type: String) -> [JSONValue] {
        pages.joined().filter { $0["type"]?.text == type }
    }

    private func life() throws -> World {
        let world = try World.withFamily()
        try world.addGroup("Work", "alice")
        try world.ask("alice", "sos.trigger")
        let alerts = try world.ask("bob", "alert.list", #"{"group":"$family"}"#)
        let alert = try #require(alerts["result"]?["alerts"]?.elements.first?["id"]?.text)
        #expect(
            try world.outcome("bob", "alert.acknowledge", #"{"alert":"\#(alert)"}"#) == "ok")
        for number in 0..<1000 {
            world.sleep(.seconds(1))
            try world.fix("alice", TestFix(number, seq: Int64(number)))
            if number % 10 == 0 { try world.fix("alice/watch", TestFix(-number)) }
            if number % 100 == 0 { try world.fix("bob", TestFix(5000)) }
        }
        try world.ask("alice", "sos.stop")
        try world.ask("bob", "sos.trigger")
        #expect(
            try world.outcome(
                "alice", "alert.acknowledge", #"{"alert":"\#(world.names.lastAlert)"}"#) == "ok")
        return world
    }

    @Test func `An export has all of a user's data once and nothing of others`() throws {
        let world = try life()
        let pages = try pages(world)
        #expect(pages.count > 5)
        let account = try #require(pages[0].first)
        #expect(account["user"]?.text == "alice")
        #expect(account["email"]?.text == "alice@example.org")
        #expect(items(pages, "device").map { $0["device"]?.text } == ["phone", "watch"])
        #expect(items(pages, "group").map { $0["name"]?.text } == ["Family", "Work"])
        let states = items(pages, "state").map { $0["state"] ?? .null }
        #expect(states == [world.state(of: "alice"), world.state(of: "alice", in: "work")])
        let fixes = items(pages, "fix")
        func meters(_ device: String) -> [Int?] {
            fixes.filter { $0["device"]?.text == device }.map { $0["fix"]?.fixMeters }
        }
        #expect(meters("phone") == (0..<1000).reversed().map { $0 })
        #expect(meters("watch") == stride(from: -990, through: 0, by: 10).map { $0 })
        #expect(fixes.allSatisfy { $0["fix"]?["receivedAt"] != nil })
        let points = items(pages, "path").flatMap { $0["points"]?.elements ?? [] }
        // The watch goes elsewhere, without her.
        #expect(points.count == 1000)
        let times = points.compactMap { $0.elements.last?.number }
        #expect(times == times.sorted())
        #expect(Set(items(pages, "path").map { $0["number"] }).count == 1)
        let alerts = items(pages, "alert").map { $0["alert"] ?? .null }
        // The beginning and the end of the SOS, in two groups.
        #expect(alerts.count == 4)
        #expect(alerts.allSatisfy { $0["user"]?.text == "alice" })
        let seen = alerts.filter { $0["acknowledgedBy"] == .array([.string("bob")]) }
        #expect(seen.count == 1)
        let acknowledged = items(pages, "acknowledgement")
        #expect(acknowledged.map { $0["alert"]?.text } == [world.names.lastAlert])
        let text = pages.joined().map { "\($0)" }.joined()
        #expect(!text.contains("token") && !text.contains("bob@"))
    }

    @Test func `An export lists friends with what they see, and blocked users`() throws {
        let world = try World()
        let names = try (0..<120).map { try #require(Name("f\(1000 + $0)")) }
        try world.addUsers("alice", "bob", "eve")
        try world.operate(
            names.map {
                .addUser($0, displayName: "X", email: nil, ownTracksPublishIsSOS: false)
            })
        for name in names {
            try world.ask(Sender(name.text), "friend.add", #"{"user":"alice"}"#)
            try world.ask("alice", "friend.add", "{\"user\":\"\(name)\"}")
        }
        try world.ask("alice", "friend.share", #"{"with":["f1007"]}"#)
        try world.ask("alice", "friend.block", #"{"user":"eve"}"#)
        try world.ask("bob", "friend.add", #"{"user":"alice"}"#)
        let pages = try pages(world)
        let friends = items(pages, "friend")
        #expect(friends.map { $0["user"]?.text } == names.map(\.text))
        #expect(friends.filter { $0["sharedSince"] != nil }.count == 1)
        #expect(friends[7]["sharedSince"]?.text == "2026-05-01T10:00:00.000Z")
        #expect(friends[7]["addedAt"]?.text == "2026-05-01T10:00:00.000Z")
        let blocked = items(pages, "blocked")
        #expect(blocked.map { $0["user"]?.text } == ["eve"])
        #expect(blocked.first?["at"]?.text == "2026-05-01T10:00:00.000Z")
    }

    @Test func `An export of an empty account is one page`() throws {
        let world = try World()
        try world.addUsers("alice")
        let pages = try pages(world)
        #expect(pages.map { $0.map { $0["type"]?.text } } == [["account", "usage", "device"]])
    }

    @Test func `Changes between pages neither break an export nor repeat items`() throws {
        let world = try life()
        var step = 0
        let pages = try pages(world) {
            step += 1
            world.sleep(.seconds(1))
            try world.fix("alice", TestFix(2000 + step))
            switch step {
            case 1: try world.ask("alice", "group.leave", #"{"group":"$work"}"#)
            case 2: try world.fix("alice/tablet", TestFix(1))
            case 4:
                world.sleep(.seconds(29 * 86_400 + 86_000 + 300))
                try world.sweep()
            default: break
            }
        }
        let keys = items(pages, "fix").map {
            "\($0["device"]?.text ?? "") \($0["fix"]?["timestamp"]?.text ?? "")"
        }
        #expect(Set(keys).count == keys.count)
        #expect(keys.count > 100 && pages.count < 100)
    }

    @Test(
        arguments: [
            "", "x", "g.", "g.x", "g.1.2", "p.1.2", "a.1", "a.", "k.", "f.", "f.1.2.3", "f.01",
            "f.+1", "f.99999999999999999999", "g.-0", "'; DROP TABLE users; --", "f.1.\u{0}",
        ])
    func `A damaged cursor is refused`(_ cursor: String) throws {
        let world = try World.withFamily()
        var json = JSONWriter()
        json.object { json in
            json.key("cursor")
            json.string(cursor)
        }
        let outcome = try world.outcome(
            "alice", "account.export", String(decoding: json.bytes, as: UTF8.self))
        #expect(outcome == "invalid: cursor was not issued by this service")
    }

    /// Deleted fixes stay until their retention ends.
    @Test func `A page skips only a bounded number of deleted fixes`() throws {
        let world = try World.withFamily()
        let start = world.now
        for part in 0..<6 {
            world.sleep(.seconds(500))
            let fixes = (0..<500).map { TestFix(part * 500 + $0, ago: Double(499 - $0)) }
            let list = fixes.map { $0.json(at: world.now) }.joined(separator: ",")
            try world.send(world.fixMessage("alice", "[\(list)]"))
        }
        #expect(try world.count("fixes") == 3_000)
        world.sleep(.seconds(5))
        let end = world.now - .seconds(1)
        let stretch = #""from":\#(start.milliseconds),"to":\#(end.milliseconds)"#
        var cursor = ""
        for _ in 0..<100 {
            let result = try world.ask(
                "alice", "data.delete", "{\(stretch),\"what\":\"positions\"\(cursor)}")["result"]
            guard let next = result?["next"]?.text else { break }
            cursor = ",\"cursor\":\"\(next)\""
        }
        let pages = try pages(world)
        #expect(items(pages, "fix").isEmpty)
        let readings = 3_000 / ExportSection.rows
        #expect(pages.count > 1 && pages.count <= 2 + readings / ExportPage.mostReadings)
    }

    @Test func `Cursors reveal no numbers, survive a restart and are bound to one account`() throws
    {
        let world = try life()
        func first(_ user: Sender) throws -> String {
            try #require(try world.ask(user, "account.export")["result"]?["next"]?.text)
        }
        let cursor = try first("alice")
        let bytes = try #require(Base64URL.decode(cursor))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("."))
        #expect(cursor.count > 40)
        try world.restart()
        #expect(try first("alice") == cursor)
        #expect(try world.outcome("alice", "account.export", #"{"cursor":"\#(cursor)"}"#) == "ok")
        #expect(
            try world.outcome("bob", "account.export", #"{"cursor":"\#(cursor)"}"#)
                == "invalid: cursor was not issued by this service")
    }
}
