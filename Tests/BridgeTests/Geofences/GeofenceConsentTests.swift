import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Consent to notices about a person at a place.
struct GeofenceConsentTests {
    @Test func `A rule notifies no one before its subject agrees and shows its recipient`() throws {
        let world = try World.withFamily()
        let rule = try world.addRule(#""when":"arrives","user":"alice""#)
        #expect(world.published().news == ["alice: place-rule-asked"])
        try world.visit(by: "alice")
        #expect(world.published().news == [])
        let mine = try world.ask("alice", "geofence.rule.list")["result"]?["rules"]?.elements
        #expect(mine?.count == 1 && mine?[0]["madeBy"]?.text == "bob")
        #expect(mine?[0]["tell"]?["user"]?.text == "bob")
        #expect(mine?[0]["geofence"]?["radius"]?.integer == 100)
        #expect(
            try world.outcome("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
                == "ok")
        #expect(world.published().news == ["bob: place-rule-agreed"])
        try world.visit(by: "alice")
        #expect(world.published().news == ["bob: place-arrived"])
        try world.restart()
        _ = world.published()
        try world.visit(by: "alice")
        #expect(world.published().news == ["bob: place-arrived"])
        #expect(try world.outcome("alice", "geofence.rule.end", #"{"rule":"\#(rule)"}"#) == "ok")
        #expect(world.published().news == ["bob: place-rule-refused"])
        try world.visit(by: "alice")
        #expect(world.published().news == [])
    }

    @Test func `Only friends and group members can be watched and notified`() throws {
        let world = try World.withNeighbours()
        let fence = try world.addFence(by: "bob")
        func add(_ fields: String) throws -> String {
            try world.outcome("bob", "geofence.rule.add", #"{"geofence":"\#(fence)",\#(fields)}"#)
        }
        // Dave is in no group of Bob's, and the user `nobody` does not exist: the same reply.
        for user in ["dave", "nobody"] {
            #expect(try add(#""when":"arrives","user":"\#(user)""#) == "not-allowed")
        }
        // Carol is in Bob's choir, and at work with Alice; Dave must not learn of her.
        #expect(
            try add(#""when":"arrives","user":"carol","tell":{"user":"dave"}"#) == "not-allowed")
        #expect(try add(#""when":"arrives","user":"carol","tell":{"user":"alice"}"#) == "ok")
        #expect(
            try add(
                #""when":"arrives","user":"carol","tell":{"group":"\#(world.names["family"])"}"#)
                == "not-allowed")
        #expect(
            try world.outcome(
                "dave", "geofence.rule.add",
                #"{"geofence":"\#(fence)","when":"arrives","user":"dave"}"#) == "unknown-place")
        // Bob alone cannot decide that Dave is notified of him.
        _ = try world.ask("bob", "friend.add", #"{"user":"dave"}"#)
        let own = #""when":"arrives","user":"bob","tell":{"user":"dave"}"#
        #expect(try add(own) == "not-allowed")
        _ = try world.ask("dave", "friend.add", #"{"user":"bob"}"#)
        #expect(try add(own) == "ok")
        // A user on Dave's list of friends can ask him.
        _ = try world.ask("dave", "friend.add", #"{"user":"bob"}"#)
        #expect(try add(#""when":"arrives","user":"dave""#) == "ok")
    }

    @Test func `The end of a friendship or membership ends notifications`() throws {
        for end in ["friend.remove", "group.leave"] {
            let world = try World.withNeighbours()
            let isFriend = end == "friend.remove"
            if isFriend { _ = try world.ask("dave", "friend.add", #"{"user":"bob"}"#) }
            let watched: Sender = isFriend ? "dave" : "carol"
            let rule = try world.addRule(
                #""when":"arrives","user":"\#(isFriend ? "dave" : "carol")""#)
            _ = try world.ask(watched, "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
            _ = world.published()
            try world.visit(by: watched)
            #expect(world.published().news == ["bob: place-arrived"])
            let request =
                isFriend ? #"{"user":"bob"}"# : #"{"group":"\#(world.names["choir"])"}"#
            #expect(try world.outcome(watched, end, request) == "ok")
            _ = world.published()
            try world.visit(by: watched)
            #expect(world.published().news == [])
            if !isFriend { #expect(try world.count("geofence_rules") == 0) }
        }
    }

    @Test func `A group rule asks members it applies to, and others once it does`() throws {
        let world = try World.withNeighbours()
        let (family, choir) = (world.names["family"], world.names["choir"])
        _ = try world.addRule(
            #""when":"arrives","group":"\#(choir)","tell":{"group":"\#(family)"}"#)
        #expect(world.published().news == [], "Carol is in the choir, but not in the family")
        #expect(try world.count("geofence_consents") == 1)
        try world.operate(.addMember(family, "carol"))
        #expect(world.published().news.contains("carol: place-rule-asked"))
        #expect(try world.count("geofence_consents") == 2)
    }

    @Test(arguments: ["group", "friends", "unblock"])
    func `A group rule asks members once they are acquainted with its recipient`(_ how: String)
        throws
    {
        let world = try World.withNeighbours()
        let choir = world.names["choir"]
        if how == "unblock" {
            _ = try world.ask("carol", "friend.block", #"{"user":"alice"}"#)
        } else {
            _ = try world.ask("alice", "group.leave", #"{"group":"\#(world.names["work"])"}"#)
        }
        _ = try world.addRule(
            #""when":"arrives","group":"\#(choir)","tell":{"user":"alice"}"#)
        #expect(!world.published().news.contains("carol: place-rule-asked"))
        switch how {
        case "group": try world.operate(.addMember(choir, "alice"))
        case "friends":
            _ = try world.ask("carol", "friend.add", #"{"user":"alice"}"#)
            #expect(!world.published().news.contains("carol: place-rule-asked"))
            _ = try world.ask("alice", "friend.add", #"{"user":"carol"}"#)
        default: _ = try world.ask("carol", "friend.unblock", #"{"user":"alice"}"#)
        }
        try world.pass(.seconds(1))
        #expect(world.published().news.contains("carol: place-rule-asked"))
    }

    @Test(arguments: ["group", "user"])
    func `A member who leaves and rejoins immediately is asked again`(_ watched: String) throws {
        let world = try World.withFamily()
        let group = world.names["family"]
        let rule = try world.addRule(
            watched == "group"
                ? #""when":"arrives","group":"\#(group)""#
                : #""when":"arrives","user":"alice","tell":{"group":"\#(group)"}"#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        _ = try world.ask("alice", "friend.add", #"{"user":"bob"}"#)
        _ = world.published()
        try world.turn([
            world.requestMessage("alice", "group.leave", #"{"group":"\#(group)"}"#),
            world.requestMessage("bob", "group.add", #"{"group":"\#(group)","user":"alice"}"#),
        ])
        #expect(world.engine.memory.account("alice")?.memberships.count == 1)
        #expect(world.published().news.contains("alice: place-rule-asked"))
        try world.visit(by: "alice")
        #expect(!world.published().news.contains("bob: place-arrived"))
    }

    @Test func `Agreement ends when recipient and person are no longer acquainted`() throws {
        let world = try World.withNeighbours()
        let rule = try world.addRule(
            #""when":"arrives","group":"\#(world.names["choir"])","tell":{"user":"alice"}"#)
        _ = try world.ask("carol", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        #expect(try world.count("geofence_consents") == 2)
        // Alice and Carol shared only the group Work.
        _ = try world.ask("alice", "group.leave", #"{"group":"\#(world.names["work"])"}"#)
        #expect(try world.count("geofence_consents") == 1)
        #expect(try world.count("geofence_presences") == 1)
        try world.restart()
        #expect(try world.count("geofence_consents") == 1)
    }

    @Test func `Moving a place asks for agreement again`() throws {
        let world = try World.withFamily()
        let rule = try world.addRule(#""when":"arrives","user":"alice""#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        let fence = try #require(world.fences.last)
        _ = world.published()
        let named = #"{"geofence":"\#(fence)","name":"Old school"}"#
        #expect(try world.outcome("bob", "geofence.update", named) == "ok")
        #expect(world.published().news == [])
        let moved = #"{"geofence":"\#(fence)","radius":5000}"#
        #expect(try world.outcome("bob", "geofence.update", moved) == "ok")
        #expect(world.published().news == ["alice: place-rule-asked"])
        try world.visit(by: "alice")
        #expect(world.published().news == [])
    }

    @Test func `A group rule watches members who agree and notifies the group`() throws {
        let world = try World.withFamily()
        try world.addUsers("carol")
        try world.operate(.addMember(world.names["family"], "carol"))
        let group = world.names["family"]
        let rule = try world.addRule(
            #""when":"arrives","group":"\#(group)","tell":{"group":"\#(group)"}"#)
        #expect(Set(world.published().news).isSuperset(of: ["alice: place-rule-asked"]))
        _ = try world.ask("carol", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        _ = world.published()
        try world.visit(by: "carol")
        #expect(world.published().news.sorted() == ["alice: place-arrived", "bob: place-arrived"])
        try world.visit(by: "alice")
        #expect(world.published().news == [], "she has not agreed")
        try world.visit(by: "bob")
        #expect(
            world.published().news.sorted() == ["alice: place-arrived", "carol: place-arrived"])
    }

    @Test func `Events in a pause are reported neither then nor afterwards`() throws {
        let world = try World.withFamily()
        let rule = try world.addRule(#""when":"leaves","user":"alice""#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        try world.visit(by: "alice")
        _ = world.published()
        let until = (world.now + .seconds(600)).milliseconds
        #expect(try world.outcome("alice", "sharing.pause", #"{"until":\#(until)}"#) == "ok")
        try world.walk("alice", to: [2_000, 2_000])
        #expect(try world.outcome("alice", "sharing.resume") == "ok")
        try world.walk("alice", to: [2_000, 2_000])
        #expect(!world.published().news.contains("bob: place-left"))
        try world.walk("alice", to: [0, 0, 2_000, 2_000])
        #expect(world.published().news.contains("bob: place-left"))
    }

    @Test func `A block between subject and recipient ends notifications`() throws {
        for blocker in ["alice", "bob"] as [Sender] {
            let world = try World.withFamily()
            // Bob's app would show it.
            try world.send(world.ownTracks("bob", #"{"_type":"lwt"}"#))
            let rule = try world.addRule(#""when":"arrives","user":"alice""#)
            _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
            let other = blocker == "alice" ? "bob" : "alice"
            #expect(try world.outcome(blocker, "friend.block", #"{"user":"\#(other)"}"#) == "ok")
            _ = world.published()
            try world.visit(by: "alice")
            let published = world.published()
            #expect(published.news == [])
            #expect(!published.contains { $0.topic.hasSuffix("/event") })
        }
    }

    @Test func `Turning location off ends watching and notifies the rule's maker`() throws {
        let world = try World.withFamily()
        let rule = try world.addRule(#""when":"arrives","user":"alice""#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        try world.visit(by: "alice")
        _ = world.published()
        #expect(try world.outcome("alice", "location.off") == "ok")
        #expect(world.published().news == ["bob: place-rule-refused"])
        #expect(try world.count("geofence_presences") == 0)
        try world.visit(by: "alice")
        #expect(world.published().news == [])
    }

    @Test func `A pause without a single fix also hides where a person went`() throws {
        let world = try World.withFamily()
        let rule = try world.addRule(#""when":"leaves","user":"alice""#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        try world.visit(by: "alice")
        let until = (world.now + .seconds(600)).milliseconds
        _ = try world.ask("alice", "sharing.pause", #"{"until":\#(until)}"#)
        try world.pass(.seconds(700))
        _ = world.published()
        try world.walk("alice", to: [2_000, 2_000])
        #expect(!world.published().news.contains("bob: place-left"))
    }

    @Test func `A new member of a watched group is asked; leaving notifies the rule's maker`()
        throws
    {
        let world = try World.withFamily()
        try world.addUsers("carol")
        let group = world.names["family"]
        _ = try world.addRule(#""when":"arrives","group":"\#(group)""#)
        _ = world.published()
        try world.operate(.addMember(group, "carol"))
        #expect(world.published().news.contains("carol: place-rule-asked"))
        let rule = try world.addRule(#""when":"arrives","user":"carol""#)
        _ = try world.ask("carol", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        _ = world.published()
        _ = try world.ask("carol", "group.leave", #"{"group":"\#(group)"}"#)
        #expect(world.published().news.contains("bob: place-rule-ended"))
    }
}
