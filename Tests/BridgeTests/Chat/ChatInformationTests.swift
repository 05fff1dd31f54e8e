import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The service's own notes in a chat.
struct ChatInformationTests {
    @Test func `Joining, leaving, removal and renaming are announced`() throws {
        let world = try World()
        try world.addUsers("alice", "bob", "carol")
        try world.letAdd("alice", "bob")
        try Script.check(
            in: world, showing: .chats,
            """
            10:00:00 alice asks group.create {"name":"Choir"}
                choir chat: alice joined
            10:00:01 alice asks group.add {"group":"$choir","user":"bob"}
                choir chat: bob joined
            10:00:02 alice asks group.add {"group":"$choir","user":"bob"}
            10:00:03 the operator adds carol to choir
                choir chat: carol joined
            10:00:04 bob asks group.rename {"group":"$choir","name":"Band"}
                choir chat: bob online
                choir chat: bob renamed
            10:00:05 bob asks group.rename {"group":"$choir","name":"Band"}
            10:00:06 bob asks group.leave {"group":"$choir"}
                choir chat: bob left
            10:00:07 alice asks group.remove {"group":"$choir","user":"carol"}
                choir chat: carol left
            10:00:08 the operator adds carol to choir
                choir chat: carol joined
            10:00:09 the operator removes carol from choir
                choir chat: carol left
            10:00:10 alice asks group.leave {"group":"$choir"}
            """)
    }

    @Test func `Announcements are written as sentences`() throws {
        let world = try World.withFamily()
        try world.addUsers("carol", "dave")
        try world.letAdd("alice", "carol")
        try world.ask("bob", "group.rename", #"{"group":"$family","name":"Home"}"#)
        try world.ask("alice", "group.add", #"{"group":"$family","user":"carol"}"#)
        try world.ask("carol", "group.leave", #"{"group":"$family"}"#)
        try world.operate(.addMember(world.names["family"], "dave"))
        #expect(
            try world.outcome("bob", "group.remove", #"{"group":"$family","user":"dave"}"#) == "ok")
        try world.send(world.status("bob", "offline"))
        try world.pass(.seconds(61))
        let texts = try world.page("alice").messages.compactMap { $0["text"]?.text }
        #expect(
            Set(texts) == [
                "Alice is in the group now.", "Bob is in the group now.",
                "Bob has renamed the group to Home.", "Carol is in the group now.",
                "Carol has left the group.", "Dave is in the group now.",
                "Dave was removed from the group.", "Bob has gone offline.", "Alice is online.",
            ])
    }

    // MARK: Presence

    @Test func `Presence follows the first and the last device, with a delay`() throws {
        let world = try World()
        try world.addUsers("alice", "bob")
        try world.addGroup("Family", "alice", "bob")
        try Script.check(
            in: world, showing: .chats,
            """
            10:00:00 alice comes online
                family chat: alice online
            10:00:05 alice/watch comes online
            10:01:00 alice goes offline
            10:03:00 alice/watch goes offline
            10:03:20 alice/watch comes online
            10:03:21 alice/watch goes offline
            10:10:00
                10:04:21 family chat: alice offline
            10:10:01 alice at 5 m
                family chat: alice online
            10:10:30 alice at 6 m
            10:20:00
                10:11:30 family chat: alice offline
            """)
    }

    /// iOS drops the connection in the background; the app reports every four minutes.
    @Test func `A phone that reports rarely does not flap`() throws {
        let world = try World()
        try world.addUsers("alice", "bob")
        try world.addGroup("Family", "alice", "bob")
        try Script.play(
            in: world,
            """
            10:00:00 to 10:20:00 every 240 s alice at 0 m +100 m
            """)
        _ = world.published()
        try Script.check(
            in: world, showing: .chats,
            """
            10:24:00 to 11:00:00 every 240 s alice at 700 m +100 m
            11:30:00
                11:10:00 family chat: alice offline
            """)
    }

    @Test func `Presence is announced in each of a member's groups`() throws {
        let world = try World.withNeighbours()
        try Script.check(
            in: world, showing: .chats,
            """
            10:00:00 alice comes online
                family chat: alice online
                work chat: alice online
            """)
    }

    @Test func `Presence is announced once across crashes and restarts`() throws {
        let world = try World.withFamily()
        try world.turn()
        for number in 1...3 {
            try world.restart()
            try world.send(world.fixMessage("alice", TestFix(number)))
            try world.crashAfterCommit(of: [world.status("alice", "online")])
        }
        #expect(world.chat().isEmpty)
        try world.send(world.status("alice", "offline"), world.status("bob", "offline"))
        world.confirms = false
        try world.pass(.seconds(61))
        let gone = world.chat()
        #expect(gone.map(\.chatWords).sorted() == ["alice offline", "bob offline"])
        try world.restart()
        #expect(world.chat() == gone)
        try world.pass(.seconds(200))
        // By a fix, from which the restarted bridge derives it again.
        try world.crashAfterCommit(of: [world.fixMessage("alice", TestFix(9))])
        try world.restart()
        let words = Set(world.chat().map { ($0["id"]?.text ?? "") + $0.chatWords })
        #expect(words.count == 3)
        #expect(words.count { $0.hasSuffix("alice online") } == 1)
    }

    @Test func `A bridge outage takes no one offline`() throws {
        let world = try World.withFamily()
        try world.send(world.status("alice", "offline"), world.status("bob", "offline"))
        try world.turn()
        try Script.check(
            in: world, showing: .chats,
            """
            10:30:00 the bridge comes back
            10:30:30 alice at 1 m
            10:40:00
                10:31:00 family chat: bob offline
                10:31:30 family chat: alice offline
            """)
    }

    @Test func `The history keeps only the latest presence of each member`() throws {
        let world = try World.withFamily()
        for _ in 1...5 {
            try world.pass(.seconds(300))
            try world.send(world.status("alice", "online"), world.status("alice", "offline"))
        }
        try world.say("bob", "x")
        #expect(
            try world.history("bob") == [
                "bob: x", "alice online", "bob online", "bob joined",
            ])
        #expect(try world.count("chat_messages", where: "kind IN ('online', 'offline')") == 2)
        // It is deleted with the membership.
        try world.ask("alice", "group.leave", #"{"group":"$family"}"#)
        #expect(try world.history("bob").contains("alice left"))
        #expect(try world.count("chat_messages", where: "kind IN ('online', 'offline')") == 1)
    }

    @Test func `Presence of a user without groups is not announced`() throws {
        let world = try World.withNeighbours()
        try world.letAdd("alice", "dave")
        try world.send(world.fixMessage("dave", TestFix(1)))
        try world.ask("alice", "group.add", #"{"group":"$family","user":"dave"}"#)
        #expect(world.chat().map(\.chatWords) == ["alice online", "dave joined"])
        try world.pass(.seconds(61))
        #expect(world.chat().map(\.chatWords).sorted() == ["alice offline", "dave offline"])
    }
}
