import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Chats after a member's account is deleted.
struct ChatErasureTests {
    private func world() throws -> World {
        let world = try World.withFamily()
        try world.addUsers("carol")
        try world.addGroup("Alone", "alice")
        try world.say("alice", "one")
        try world.say("bob", "two")
        try world.say("alice", "three", in: "alone")
        try world.say("bob", "alice")
        try world.ask("alice", "group.rename", #"{"group":"$family","name":"Home"}"#)
        return world
    }

    @Test func `Messages keep their place, without author and text`() throws {
        let world = try world()
        let before = try world.page("bob").messages
        let reply = try world.operate(.removeUser("alice"))
        #expect(reply[0]["result"]?["deleted"]?["messages"]?.integer == 2)
        let after = try world.page("bob").messages
        #expect(
            after.map(\.chatWords) == [
                "somebody left", "somebody renamed", "bob: alice", "bob: two", "somebody: –",
                "bob online", "bob joined",
            ])
        for message in after where message["from"] == nil {
            #expect(message["name"] == nil)
            #expect(message["text"] == nil)
            #expect(message["at"] != nil)
        }
        let ids = Set(before.map { $0["id"] })
        #expect(
            after.filter { $0["from"] == nil }.dropFirst().allSatisfy { ids.contains($0["id"]) })
        #expect(
            try world.count("chat_messages", where: "user_id IS NULL AND text IS NOT NULL") == 0)
        #expect(try world.count("chat_messages", where: "text = 'three'") == 0)
    }

    @Test func `The group learns only that a member has left`() throws {
        let world = try world()
        _ = world.published()
        try world.operate(.removeUser("alice"))
        let told = world.chat()
        #expect(told.map(\.chatWords) == ["somebody left"])
        #expect(told[0]["text"] == nil)
    }

    @Test func `An unconfirmed message is published without author and text`() throws {
        let world = try world()
        try world.turn()
        world.confirms = false
        try world.say("alice", "four")
        try world.say("bob", "alice")
        try world.operate(.removeUser("alice"))
        _ = world.published()
        try world.restart()
        #expect(world.chat().map(\.chatWords) == ["somebody: –", "bob: alice", "somebody left"])
    }

    @Test func `A reused user number inherits no messages`() throws {
        let world = try world()
        try world.operate(.removeUser("carol"))
        try world.operate(.removeUser("alice"))
        // They get the same numbers, as in a database from when numbers were still reused.
        try world.reuseNumbers()
        try world.addUsers("dora", "emil")
        try world.addGroup("Other", "dora", "emil")
        let items = try world.ask("dora", "account.export")["result"]?["items"]?.elements ?? []
        #expect(!items.contains { $0["type"]?.text == "message" })
        #expect(try world.history("bob").contains("somebody: –"))
    }

    @Test func `An export has all messages of its owner and none of others`() throws {
        let world = try World.withFamily()
        try world.addGroup("Work", "alice", "bob")
        for number in 0..<120 {
            world.sleep(.seconds(1))
            try world.say("alice", "a\(number)", in: number % 2 == 0 ? "family" : "work")
            try world.say("bob", "b\(number)")
        }
        // Including those of a group that she has left.
        try world.ask("alice", "group.leave", #"{"group":"$work"}"#)
        var (texts, cursor) = ([String](), "")
        repeat {
            let result = try world.ask("alice", "account.export", "{\(cursor)}")["result"]
            for item in result?["items"]?.elements ?? [] where item["type"]?.text == "message" {
                texts.append(item["message"]?["text"]?.text ?? "?")
                #expect(item["message"]?["from"]?.text == "alice")
            }
            cursor = result?["next"]?.text.map { #""cursor":"\#($0)""# } ?? ""
        } while cursor != ""
        #expect(texts == (0..<120).reversed().map { "a\($0)" })
    }
}
