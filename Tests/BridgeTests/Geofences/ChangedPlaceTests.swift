import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Places that others' rules depend on.
struct ChangedPlaceTests {
    /// Alice, Bob and Carol are the family; the place is the family's.
    private func world(madeBy maker: Sender) throws -> (World, fence: String) {
        let world = try World.withFamily()
        try world.addUsers("carol")
        try world.operate(.addMember(world.names["family"], "carol"))
        let made = try world.ask(
            maker, "geofence.create",
            #"{"name":"School","latitude":46,"longitude":14.5,"radius":100,"group":"$family"}"#)
        let fence = try #require(made["result"]?["geofence"]?["geofence"]?.text)
        return (world, fence)
    }

    private func addRule(_ world: World, _ fence: String, _ fields: String) throws -> String {
        let reply = try world.ask(
            "bob", "geofence.rule.add", #"{"geofence":"\#(fence)",\#(fields)}"#)
        let rule = try #require(reply["result"]?["rule"]?["rule"]?.text, "\(reply)")
        let agrees = #"{"rule":"\#(rule)","agree":true}"#
        #expect(try world.outcome("alice", "geofence.rule.answer", agrees) == "ok")
        _ = world.published()
        return rule
    }

    private static let kiosk = #""latitude":46.3,"longitude":14.5"#

    @Test func `A place with rules can be moved only by its maker`() throws {
        let (world, fence) = try world(madeBy: "bob")
        _ = try addRule(world, fence, #""when":"arrives","user":"alice""#)
        for sender in ["alice", "carol"] as [Sender] {
            let moved = #"{"geofence":"\#(fence)",\#(ChangedPlaceTests.kiosk)}"#
            #expect(try world.outcome(sender, "geofence.update", moved) == "not-allowed")
        }
        #expect(world.published().news == [])
        try world.visit(by: "alice")
        #expect(world.published().news == ["bob: place-arrived"])
    }

    @Test func `A place without rules can be moved by any member of the group`() throws {
        let (world, fence) = try world(madeBy: "bob")
        let moved = #"{"geofence":"\#(fence)",\#(ChangedPlaceTests.kiosk)}"#
        #expect(try world.outcome("alice", "geofence.update", moved) == "ok")
    }

    @Test func `A rule waits until its maker confirms a place that its subject moved`() throws {
        let (world, fence) = try world(madeBy: "alice")
        let rule = try addRule(world, fence, #""when":"arrives","user":"alice""#)
        let moved = #"{"geofence":"\#(fence)",\#(ChangedPlaceTests.kiosk),"radius":400}"#
        #expect(try world.outcome("alice", "geofence.update", moved) == "ok")
        let notice = try #require(world.notices(of: "bob").first)
        #expect(notice["kind"]?.text == "place-changed")
        #expect(notice["user"]?.text == "alice")
        #expect(notice["was"]?.text == "School")
        #expect((33_000...34_000).contains(notice["metres"]?.integer ?? 0))
        #expect(notice["radius"]?.integer == 400)
        #expect(notice["radiusWas"]?.integer == 100)
        #expect(notice["rule"]?.text == rule)
        let far = 33_358
        try world.walk("alice", to: [far - 2_000, far - 2_000, far, far])
        #expect(!world.published().news.contains("bob: place-arrived"))
        try world.restart()
        try world.walk("alice", to: [far - 2_000, far - 2_000, far, far])
        #expect(!world.published().news.contains("bob: place-arrived"), "after a start as well")
        let agrees = #"{"rule":"\#(rule)","agree":true}"#
        #expect(try world.outcome("bob", "geofence.rule.answer", agrees) == "ok")
        try world.walk("alice", to: [far - 2_000, far - 2_000, far, far])
        #expect(world.published().news.contains("bob: place-arrived"))
    }

    @Test func `A new name is a change, and the distances of small moves add up`() throws {
        let (world, fence) = try world(madeBy: "alice")
        _ = try addRule(world, fence, #""when":"arrives","user":"alice""#)
        let named = #"{"geofence":"\#(fence)","name":"Kiosk"}"#
        #expect(try world.outcome("alice", "geofence.update", named) == "ok")
        let first = try #require(world.notices(of: "bob").first)
        #expect(first["was"]?.text == "School")
        #expect(first["placeName"]?.text == "Kiosk")
        #expect(first["metres"]?.integer == 0)
        for step in 1...3 {
            let moved = #"{"geofence":"\#(fence)","latitude":46.\#(step),"longitude":14.5}"#
            #expect(try world.outcome("alice", "geofence.update", moved) == "ok")
        }
        let list = try world.noticeList("bob")
        let changes = list.notices.filter { $0["kind"]?.text == "place-changed" }
        #expect(changes.count == 1, "the newest is enough")
        #expect((33_000...34_000).contains(changes.first?["metres"]?.integer ?? 0))
        // With its old position and name, there is nothing to confirm.
        let back = #"{"geofence":"\#(fence)","name":"School","latitude":46,"longitude":14.5}"#
        #expect(try world.outcome("alice", "geofence.update", back) == "ok")
        try world.visit(by: "alice")
        #expect(world.published().news.contains("bob: place-arrived"))
    }

    /// The rule is the maker's own, so there is nothing to confirm.
    @Test func `Repeated moves of a place are one notice, from where it was last seen`() throws {
        let (world, fence) = try world(madeBy: "alice")
        let own = #"{"geofence":"\#(fence)","when":"arrives","user":"alice","tell":{"user":"bob"}}"#
        #expect(try world.outcome("alice", "geofence.rule.add", own) == "ok")
        func move(_ tenths: Int) throws {
            let moved =
                #"{"geofence":"\#(fence)","name":"P\#(tenths)","latitude":46.\#(tenths),"longitude":14.5}"#
            #expect(try world.outcome("alice", "geofence.update", moved) == "ok")
        }
        func changes() throws -> [JSONValue] {
            try world.noticeList("bob").notices.filter { $0["kind"]?.text == "place-changed" }
        }
        for tenths in 1...6 { try move(tenths) }
        let first = try #require(try changes().first)
        #expect(try changes().count == 1)
        #expect((66_000...67_500).contains(first["metres"]?.integer ?? 0))
        #expect(first["was"]?.text == "School")
        #expect(first["latitudeWasE7"] == nil)
        _ = try world.ask("bob", "notice.seen", #"{"through":"\#(first["id"]?.text ?? "")"}"#)
        try move(7)
        try move(8)
        let last = try #require(try changes().first)
        #expect(try changes().count == 2)
        #expect((22_000...22_500).contains(last["metres"]?.integer ?? 0))
        #expect(last["was"]?.text == "P6")
    }

    @Test func `A rule with an unconfirmed place reports its subject as missed`() throws {
        let (world, fence) = try world(madeBy: "alice")
        _ = try addRule(
            world, fence,
            #""when":"not-there","by":"12:15","user":"alice","timeZone":"Europe/Ljubljana""#)
        let moved = #"{"geofence":"\#(fence)","radius":10000}"#
        #expect(try world.outcome("alice", "geofence.update", moved) == "ok")
        try world.walk("alice", to: [2_000, 2_000])
        _ = world.published()
        try world.pass(until: try #require(Timestamp(rfc3339: "2026-05-01T10:15:01Z")))
        let notice = try #require(world.notices(of: "bob").first)
        #expect(notice["kind"]?.text == "place-missed")
        #expect(notice["known"] == .bool(false))
    }

    @Test func `A maker who refuses a moved place ends the rule`() throws {
        let (world, fence) = try world(madeBy: "alice")
        let rule = try addRule(world, fence, #""when":"arrives","user":"alice""#)
        let moved = #"{"geofence":"\#(fence)",\#(ChangedPlaceTests.kiosk)}"#
        #expect(try world.outcome("alice", "geofence.update", moved) == "ok")
        let refuses = #"{"rule":"\#(rule)","agree":false}"#
        #expect(try world.outcome("bob", "geofence.rule.answer", refuses) == "ok")
        #expect(try world.count("geofence_rules") == 0)
    }

    @Test func `A rule not agreed to again after a move reports its subject as missed`() throws {
        let (world, fence) = try world(madeBy: "bob")
        _ = try addRule(
            world, fence,
            #""when":"not-there","by":"12:15","user":"alice","timeZone":"Europe/Ljubljana""#)
        let moved = #"{"geofence":"\#(fence)","radius":120}"#
        #expect(try world.outcome("bob", "geofence.update", moved) == "ok")
        try world.visit(by: "alice")
        _ = world.published()
        try world.restart()
        try world.pass(until: try #require(Timestamp(rfc3339: "2026-05-01T10:15:01Z")))
        let notice = try #require(world.notices(of: "bob").first)
        #expect(notice["kind"]?.text == "place-missed")
        #expect(notice["known"] == .bool(false))
    }

    @Test func `Another member can delete, but not move, a place with its maker's rules`() throws {
        let (world, fence) = try world(madeBy: "bob")
        _ = try addRule(world, fence, #""when":"arrives","user":"alice""#)
        let moved = #"{"geofence":"\#(fence)","radius":120}"#
        #expect(try world.outcome("carol", "geofence.update", moved) == "not-allowed")
        let deleted = #"{"geofence":"\#(fence)"}"#
        #expect(try world.outcome("carol", "geofence.delete", deleted) == "ok")
        #expect(world.published().news == ["bob: place-rule-ended"])
    }

    @Test func `A member creates at most half of a group's places`() throws {
        let (world, _) = try world(madeBy: "bob")
        let place = #"{"name":"P","latitude":46,"longitude":14.5,"group":"$family"}"#
        for _ in 1..<BridgeSettings.maximumGeofences / 2 {
            #expect(try world.outcome("bob", "geofence.create", place) == "ok")
        }
        #expect(try world.outcome("bob", "geofence.create", place) == "too-many")
        #expect(try world.outcome("carol", "geofence.create", place) == "ok")
    }
}
