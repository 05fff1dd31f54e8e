import Contract
import JSON
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// All devices of a user know what the user has not seen.
struct UnreadTests {
    private func unread(_ world: World, _ user: Name = "bob") -> String {
        String(decoding: world.retained[world.topics.string(.unread(user))] ?? [], as: UTF8.self)
    }

    private func say(_ world: World, _ sender: Sender, _ text: String) throws -> String {
        let answer = try world.ask(
            sender, "chat.send", #"{"group":"$family","text":"\#(text)"}"#)
        world.sleep(.seconds(2))
        try world.pass(.seconds(1))
        return try #require(answer["result"]?["message"]?["id"]?.text)
    }

    private func see(_ world: World, _ what: String, _ id: String, _ sender: Sender = "bob") throws
        -> JSONValue
    {
        try world.ask(sender, "\(what).seen", #"{"group":"$family","through":"\#(id)"}"#)
    }

    /// Everything is seen except what a test adds.
    private func world() throws -> World {
        let world = try World.withFamily()
        for user in ["alice", "bob"] as [Sender] {
            if let newest = try world.noticeList(user).notices.first?["id"]?.text {
                try world.ask(user, "notice.seen", #"{"through":"\#(newest)"}"#)
            }
        }
        try world.pass(.seconds(2))
        return world
    }

    @Test func `Messages and alerts of others are unread until any device has seen them`() throws {
        let world = try world()
        #expect(unread(world) == "")
        let first = try say(world, "alice", "one")
        let second = try say(world, "alice", "two")
        _ = try say(world, "bob", "mine")
        #expect(unread(world) == #"{"notices":0,"alerts":0,"chat":2}"#)
        #expect(unread(world, "alice") == #"{"notices":0,"alerts":0,"chat":1}"#)
        try world.ask("alice", "sos.trigger")
        try world.pass(.seconds(3))
        #expect(unread(world) == #"{"notices":0,"alerts":1,"chat":2}"#)
        // A watch has seen one of them, and the phone learns of it.
        let answer = try see(world, "chat", first, "bob/watch")
        #expect(answer["result"]?["unread"]?["chat"] == .number(1))
        #expect(unread(world) == #"{"notices":0,"alerts":1,"chat":1}"#)
        let list = try world.ask("bob/phone", "unread.list")["result"]
        let group = try #require(list?["groups"]?.elements.first)
        #expect(group["chatThrough"]?.text == first && group["chat"] == .number(1))
        #expect(list?["alerts"] == .number(1) && group["alerts"] == .number(1))
        // A mark never moves back, and does not affect other users.
        _ = try see(world, "chat", second)
        _ = try see(world, "chat", first)
        #expect(unread(world) == #"{"notices":0,"alerts":1,"chat":0}"#)
        #expect(unread(world, "alice") == #"{"notices":0,"alerts":0,"chat":1}"#)
        _ = try see(world, "alert", world.names.lastAlert)
        #expect(unread(world) == "")
        // Both survive a restart.
        try world.restart()
        try world.pass(.seconds(3))
        #expect(unread(world) == "")
        #expect(unread(world, "alice") == #"{"notices":0,"alerts":0,"chat":1}"#)
    }

    @Test func `A mark reaches no further than the newest message`() throws {
        let world = try world()
        _ = try say(world, "alice", "one")
        _ = try see(world, "chat", "ffffffff-ffff-7fff-bfff-ffffffffffff")
        #expect(unread(world) == "")
        _ = try say(world, "alice", "two")
        #expect(unread(world) == #"{"notices":0,"alerts":0,"chat":1}"#)
    }

    @Test func `Acknowledged alerts are not unread`() throws {
        let world = try world()
        try world.ask("alice", "sos.trigger")
        try world.pass(.seconds(3))
        #expect(unread(world) == #"{"notices":0,"alerts":1,"chat":0}"#)
        let answer = try world.ask(
            "bob", "alert.acknowledge", #"{"alert":"\#(world.names.lastAlert)"}"#)
        #expect(answer.outcome == "ok")
        try world.pass(.seconds(3))
        #expect(unread(world) == "")
    }

    @Test func `Only members can read and set marks`() throws {
        let world = try world()
        try world.addUsers("carol")
        let id = try say(world, "alice", "one")
        #expect(try see(world, "chat", id, "carol").outcome == "not-a-member")
        #expect(
            try world.ask("carol", "unread.list")["result"]?["groups"]?.elements.isEmpty == true)
        #expect(
            try world.ask("bob", "chat.seen", #"{"group":"$family"}"#).outcome.hasPrefix("invalid"))
    }

    @Test func `Leaving clears a group's unread counts, and rejoining starts at zero`() throws {
        let world = try world()
        _ = try say(world, "alice", "one")
        #expect(unread(world) != "")
        #expect(try world.ask("bob", "group.leave", #"{"group":"$family"}"#).outcome == "ok")
        try world.pass(.seconds(3))
        #expect(!unread(world).contains(#""chat":1"#))
        try world.operate(.addMember(world.names["family"], "bob"))
        try world.pass(.seconds(3))
        #expect(!unread(world).contains(#""chat":1"#))
        _ = try say(world, "alice", "two")
        #expect(unread(world).contains(#""chat":1"#))
    }

    @Test func `The notice of an answered invitation counts as seen`() throws {
        for answer in ["accept", "decline"] {
            let world = try World.withFamily()
            try world.addUsers("carol")
            #expect(
                try world.outcome("alice", "group.invite", #"{"group":"$family","user":"carol"}"#)
                    == "ok")
            world.sleep(.seconds(5))
            try world.turn()
            let notice = try #require(
                try world.noticeList("carol").notices.first {
                    $0["kind"]?.text == "invited-to-group"
                })
            #expect(notice["seen"] == .bool(false))
            let id = try #require(notice["invitation"]?.text)
            #expect(
                try world.outcome("carol", "invitation.\(answer)", #"{"invitation":"\#(id)"}"#)
                    == "ok")
            try world.pass(.seconds(3))
            let after = try world.noticeList("carol")
            #expect(
                after.notices.first { $0["kind"]?.text == "invited-to-group" }?["seen"]
                    == .bool(true), "\(answer)")
            #expect(after.unread == 0, "\(answer)")
        }
    }

    @Test func `Unread counts of a large group are updated in batches, each member once`() {
        var recounts = UnreadRecounts()
        let now = Timestamp.morning
        #expect(recounts.next == nil)
        for _ in 0..<3 {
            for user in 1...250 {
                recounts.append(UserID(rawValue: Int64(user)), GroupID(rawValue: 1))
            }
        }
        #expect(recounts.take(at: now).map(\.user.rawValue) == Array(1...100))
        #expect(recounts.take(at: now + .milliseconds(999)).isEmpty)
        #expect(recounts.next == now + UnreadRecounts.interval)
        recounts.append(UserID(rawValue: 1), GroupID(rawValue: 1))
        #expect(recounts.take(at: now + .seconds(1)).count == 100)
        #expect(recounts.take(at: now + .seconds(2)).map(\.user.rawValue).last == 1)
        #expect(recounts.next == nil)
        recounts.append(UserID(rawValue: 1), GroupID(rawValue: 1))
        recounts.reschedule(at: now - .seconds(60))
        #expect(recounts.next == now - .seconds(60))
    }
}
