import Contract
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Limits on what users can find out about people with whom they have no connection.
struct StrangerTests {
    private let quota = Usage.Kind.strangers.quota

    private func add(_ invitee: String) -> String { #"{"group":"$family",\#(invitee)}"# }

    @Test(arguments: [#""email":"nobody@example.org""#, #""user":"nobody""#])
    func `Lookups beyond a hundred a day are limited to one in ten minutes, found or not`(
        _ nobody: String
    ) throws {
        let world = try World.withNeighbours()
        for _ in 1...quota.rows {
            #expect(try world.outcome("alice", "group.add", add(nobody)) == "ok")
            world.sleep(.seconds(1))
        }
        for invitee in [nobody, #""user":"dave""#, #""email":"dave@example.org""#] {
            #expect(try world.outcome("alice", "group.add", add(invitee)) == "too-many")
        }
        #expect(try world.outcome("alice", "friend.add", #"{"user":"dave"}"#) == "too-many")
        #expect(world.engine.metrics["quotas-reached-strangers"] == 1)
        try world.restart()
        #expect(try world.outcome("alice", "group.add", add(nobody)) == "too-many")
        world.sleep(.seconds(600))
        #expect(try world.outcome("alice", "group.add", add(nobody)) == "ok")
        #expect(try world.outcome("alice", "group.add", add(nobody)) == "too-many")
    }

    @Test func `Acquaintances are exempt from stranger limits`() throws {
        let world = try World.withNeighbours()
        try world.ask("bob", "friend.add", #"{"user":"dave"}"#)
        for _ in 1...quota.rows {
            _ = try world.outcome("bob", "friend.add", #"{"user":"nobody"}"#)
            world.sleep(.seconds(1))
        }
        #expect(try world.outcome("bob", "friend.add", #"{"user":"nobody"}"#) == "too-many")
        // A member of a group, and a user on a list.
        #expect(try world.outcome("bob", "group.add", add(#""user":"carol""#)) == "ok")
        #expect(try world.outcome("bob", "group.add", add(#""user":"dave""#)) == "ok")
        #expect(try world.outcome("bob", "friend.add", #"{"user":"alice"}"#) == "ok")
    }

    @Test func `Blocking beyond the limit succeeds and reveals nothing about the user`() throws {
        let world = try World.withNeighbours()
        for _ in 1...quota.rows {
            let outcome = try world.outcome("alice", "friend.unblock", #"{"user":"nobody"}"#)
            #expect(outcome == "unknown-user")
            world.sleep(.seconds(1))
        }
        for method in ["friend.block", "friend.unblock"] {
            #expect(try world.outcome("alice", method, #"{"user":"nobody"}"#) == "ok")
        }
        #expect(try world.outcome("alice", "friend.block", #"{"user":"dave"}"#) == "ok")
        #expect(try world.count("blocks") == 1)
    }

    @Test func `A blocked inviter gets the same answer as for an unknown user`() throws {
        let world = try World.withNeighbours()
        try world.letAdd("bob", "dave")
        try world.ask("dave", "friend.block", #"{"user":"alice"}"#)
        _ = world.published()
        let nobody = try world.ask("alice", "group.add", add(#""user":"nobody""#))
        for invitee in [#""user":"dave""#, #""email":"dave@example.org""#] {
            #expect(try world.ask("alice", "group.add", add(invitee)) == nobody)
        }
        #expect(!world.published().contains { $0.topic == "kith/users/dave/notices" })
        #expect(try world.count("memberships", where: "user_id = 4") == 0)
        // A user whom Dave has not blocked can add him.
        #expect(try world.outcome("bob", "group.add", add(#""user":"dave""#)) == "ok")
    }
}
