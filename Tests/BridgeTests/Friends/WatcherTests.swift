import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Users can always find out who watches them.
struct WatcherTests {
    private func world() throws -> World {
        let world = try FriendListTests.world()
        try world.addGroup("Family", "alice", "bob", "carol")
        try world.addGroup("Work", "alice", "dave")
        _ = world.published()
        return world
    }

    private func watchers(_ world: World, _ payload: String = "{}") throws -> [String] {
        let reply = try world.ask("alice", "sharing.list", payload)
        return (reply["result"]?["watchers"]?.elements ?? []).map { watcher in
            let why = watcher["groupName"]?.text ?? watcher["why"]?.text ?? "?"
            let since = watcher["since"]?.text?.dropFirst(11).prefix(8) ?? "?"
            return "\(watcher["user"]?.text ?? "?") by \(why) since \(since)"
        }
    }

    @Test func `The watcher list shows who sees a user, why and since when`() throws {
        let world = try world()
        #expect(try watchers(world) == [])
        world.sleep(.seconds(60))
        try world.ask("alice", "sharing.start", #"{"groups":["$family"]}"#)
        world.sleep(.seconds(60))
        try world.ask("alice", "friend.add", #"{"user":"dave"}"#)
        try world.ask("alice", "friend.share", #"{"with":["dave"]}"#)
        world.sleep(.seconds(60))
        try world.operate(.addMember(world.names["work"], "bob"))
        try world.ask("alice", "sos.trigger")
        #expect(
            try watchers(world) == [
                "dave by friend since 10:02:00", "bob by Family since 10:01:00",
                "carol by Family since 10:01:00", "bob by Work since 10:03:00",
                "dave by Work since 10:03:00",
            ])
        try world.ask("alice", "sos.stop")
        try world.ask("alice", "sharing.stop", #"{"groups":"all"}"#)
        #expect(try watchers(world) == ["dave by friend since 10:02:00"])
        try world.ask("alice", "location.off")
        #expect(try watchers(world) == [])
    }

    @Test func `A new group member sees a user since joining`() throws {
        let world = try world()
        try world.ask("alice", "sharing.start", #"{"groups":["$work"]}"#)
        world.sleep(.seconds(60))
        try world.operate(.addMember(world.names["work"], "carol"))
        #expect(
            try watchers(world) == [
                "carol by Work since 10:01:00", "dave by Work since 10:00:00",
            ])
    }

    @Test func `Starting to share returns who sees it`() throws {
        let world = try world()
        let started = try world.ask("alice", "sharing.start", #"{"groups":"all"}"#)
        #expect(
            started["result"]?["watchers"]
                == .array(["bob", "carol", "dave"].map { .string($0) }))
        #expect(started["result"]?["allWatchers"] == .bool(true))
        try world.ask("alice", "friend.add", #"{"user":"dave"}"#)
        let shared = try world.ask("alice", "friend.share", #"{"with":"all"}"#)
        #expect(shared["result"]?["watchers"] == .array([.string("dave")]))
    }

    @Test func `A long list is paged`() throws {
        let world = try world()
        let names = try (0..<600).map { try #require(Name("m\(1000 + $0)")) }
        try world.operate(
            names.map {
                .addUser(
                    $0, displayName: String(repeating: "Ü", count: 64), email: nil,
                    ownTracksPublishIsSOS: false)
            })
        let family = world.names["family"]
        try world.operate(names.prefix(300).map { .addMember(family, $0) })
        try world.operate(names.suffix(200).map { .addMember(world.names["work"], $0) })
        try world.turn(
            names.suffix(300).map {
                world.requestMessage("alice", "friend.add", "{\"user\":\"\($0)\"}")
            })
        try world.ask("alice", "friend.share", #"{"with":"all"}"#)
        try world.ask("alice", "sharing.start", #"{"groups":"all"}"#)
        var (seen, cursor, pages): ([String], String?, Int) = ([], nil, 0)
        repeat {
            let payload = cursor.map { "{\"cursor\":\"\($0)\"}" } ?? "{}"
            let reply = try world.ask("alice", "sharing.list", payload)
            seen += (reply["result"]?["watchers"]?.elements ?? []).map {
                "\($0["user"]?.text ?? "?") \($0["groupName"]?.text ?? "")"
            }
            cursor = reply["result"]?["next"]?.text
            pages += 1
        } while cursor != nil && pages < 100
        #expect(seen.count == 300 + 302 + 201)
        #expect(Set(seen).count == seen.count)
        #expect(pages > 3)
        #expect(
            try world.outcome("alice", "sharing.list", #"{"cursor":"g.1"}"#)
                == "invalid: cursor was not issued by this service")
    }

    // MARK: Reminders

    @Test func `A user who shares for a week without checking is reminded once a week`() throws {
        let world = try world()
        try world.ask("alice", "friend.add", #"{"user":"dave"}"#)
        try world.ask("alice", "friend.share", #"{"with":"all"}"#)
        try world.ask("alice", "sharing.start", #"{"groups":["$family"]}"#)
        let start = world.now
        _ = world.published()
        func notices() -> [JSONValue] {
            world.published().filter { $0.topic == "kith/users/alice/notices" }
                .map { .read($0.payload) }
        }
        for _ in 0..<6 {
            try world.pass(.seconds(86_400))
            try world.fix("alice", TestFix(1))
        }
        #expect(notices().isEmpty)
        try world.pass(.seconds(86_400))
        let reminders = notices()
        #expect(reminders.count == 1)
        let notice = try #require(reminders.first)
        #expect(notice["kind"]?.text == "sharing-reminder")
        #expect(notice["since"] == .string(start.rfc3339))
        #expect(notice["groups"] == .array([.string(world.names["family"].text)]))
        #expect(notice["friends"]?.integer == 1)
        try world.restart()
        try world.pass(.seconds(86_400 * 6))
        #expect(notices().allSatisfy { $0["id"] == notice["id"] })
        try world.ask("alice", "account.get")
        try world.pass(.seconds(86_400 * 6))
        #expect(notices().isEmpty)
        try world.pass(.seconds(86_400))
        #expect(notices().count == 1)
    }

    @Test func `A crash neither loses nor repeats a reminder`() throws {
        let world = try world()
        try world.ask("alice", "sharing.start", #"{"groups":["$family"]}"#)
        world.confirms = false
        try world.pass(.seconds(86_400 * 7))
        _ = world.published()
        try world.blink()
        let again = world.published().filter { $0.topic == "kith/users/alice/notices" }
        #expect(again.count == 1)
        try world.pass(.seconds(3600))
        #expect(!world.published().contains { $0.topic == "kith/users/alice/notices" })
    }
}
