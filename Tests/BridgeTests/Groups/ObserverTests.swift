import Contract
import JSON
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Programs to which a member shows what the group sees.
struct ObserverTests {
    private func make(_ world: World, _ user: Sender = "alice", _ name: String = "Home") throws
        -> PrincipalToken
    {
        let reply = try world.ask(
            user, "observer.create", #"{"group":"$family","name":"\#(name)"}"#)
        let token = try #require(reply["result"]?["token"]?.text)
        return try #require(PrincipalToken(token))
    }

    private func observers(_ world: World) -> [String] {
        let group = world.retained.first {
            $0.key.hasPrefix("kith/groups/") && !$0.key.contains("/members/")
        }
        return JSONValue.read(group?.value ?? [])["observers"]?.elements.map {
            "\($0["name"]?.text ?? "") of \($0["by"]?.text ?? "")"
        } ?? []
    }

    private func observer(_ token: PrincipalToken) throws -> Grant {
        guard case .bearer(let grant) = token.principal, grant.kind == .observer else {
            throw Missing()
        }
        return grant
    }

    private struct Missing: Error {}

    private func access(_ world: World, _ token: PrincipalToken) throws -> GrantAccess? {
        try world.store.transaction { try $0.access(of: observer(token)) }
    }

    @Test func `All members see an observer, and its token is stored nowhere`() throws {
        let world = try World.withFamily()
        let token = try make(world)
        #expect(observers(world) == ["Home of alice"])
        #expect(try access(world, token)?.tokenHash == token.hash)
        #expect(try access(world, token)?.maker == "alice")
        for (table, column) in [
            ("replies", "payload"), ("outbox", "payload"), ("observers", "token_hash"),
        ] {
            let condition = "CAST(\(column) AS TEXT) LIKE '%\(token.text.suffix(43))%'"
            #expect(try world.count(table, where: condition) == 0, "\(table)")
        }
        let request = #"{"id":"o","group":"$family","name":"Again"}"#
        let first = try world.ask("bob", "observer.create", request)["result"]
        let again = try world.ask("bob", "observer.create", request)["result"]
        #expect(first?["observer"] == again?["observer"])
        #expect(first?["token"] != nil && again?["token"] == nil)
        try world.restart()
        #expect(try access(world, token)?.tokenHash == token.hash)
        #expect(
            try world.outcome("alice", "group.rename", #"{"group":"$family","name":"F"}"#) == "ok")
        #expect(Set(observers(world)) == ["Home of alice", "Again of bob"])
    }

    @Test func `Observers keep their order when the clock is set back between them`() throws {
        let world = try World.withFamily()
        _ = try make(world, "alice", "First")
        world.sleep(.seconds(-600))
        _ = try make(world, "bob", "Second")
        let before = observers(world)
        try world.restart()
        #expect(
            try world.outcome("alice", "group.rename", #"{"group":"$family","name":"F"}"#) == "ok")
        #expect(observers(world) == before)
    }

    @Test func `Members see an observer among their watchers only while they share`() throws {
        let world = try World.withFamily()
        let token = try make(world)
        func watchers() throws -> [String] {
            try world.ask("bob", "sharing.list")["result"]?["watchers"]?.elements
                .filter { $0["why"]?.text == "observer" }
                .map {
                    "\($0["observer"]?.text ?? ""), \($0["name"]?.text ?? ""), \($0["by"]?.text ?? "")"
                }
                ?? []
        }
        #expect(try watchers() == [])
        #expect(try world.outcome("bob", "sharing.start", #"{"groups":"all"}"#) == "ok")
        #expect(try watchers() == ["\(try observer(token).id), Home, alice"])
        #expect(try world.outcome("bob", "sharing.stop", #"{"groups":"all"}"#) == "ok")
        #expect(try watchers() == [])
    }

    @Test func `Only members of the group can end an observer`() throws {
        let world = try World.withFamily()
        try world.addUsers("carol")
        let token = try make(world)
        let end = #"{"group":"$family","observer":"\#(try observer(token).id)"}"#
        #expect(try world.outcome("carol", "observer.end", end) == "not-a-member")
        #expect(
            try world.outcome("carol", "observer.create", #"{"group":"$family","name":"X"}"#)
                == "not-a-member")
        #expect(try world.outcome("bob", "observer.end", end) == "ok")
        #expect(try access(world, token) == nil)
        #expect(observers(world) == [])
        #expect(try world.outcome("bob", "observer.end", end) == "unknown-observer")
    }

    @Test(arguments: ["group.leave", "group.remove", "account.delete"])
    func `An observer ends when its maker leaves, is removed or is deleted`(_ how: String) throws {
        let world = try World.withFamily()
        let (mine, bobs) = (try make(world), try make(world, "bob", "Bob's"))
        switch how {
        case "group.leave":
            #expect(try world.outcome("alice", how, #"{"group":"$family"}"#) == "ok")
        case "group.remove":
            #expect(
                try world.outcome("bob", how, #"{"group":"$family","user":"alice"}"#) == "ok")
        default: try world.operate(.removeUser("alice"))
        }
        #expect(try access(world, mine) == nil)
        #expect(try access(world, bobs) != nil)
        #expect(observers(world) == ["Bob's of bob"])
        #expect(try world.count("observers") == 1)
    }

    @Test func `A group has at most five observers`() throws {
        let world = try World.withFamily()
        for number in 1...Groups.maximumObservers { _ = try make(world, "bob", "P\(number)") }
        #expect(
            try world.outcome("alice", "observer.create", #"{"group":"$family","name":"P"}"#)
                == "too-many")
    }
}
