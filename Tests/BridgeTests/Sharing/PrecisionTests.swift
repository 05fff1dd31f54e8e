import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Showing a group only roughly where a person is.
struct PrecisionTests {
    /// The two groups that Alice shares with; the family sees her district.
    private func world() throws -> World {
        let world = try World.withFamily()
        try world.addGroup("work", "alice", "bob")
        try world.ask("alice", "sharing.start", #"{"groups":"all"}"#)
        #expect(try set(world, "district") == "ok")
        return world
    }

    private func set(_ world: World, _ precision: String) throws -> String {
        try world.outcome(
            "alice", "sharing.precision", #"{"group":"$family","precision":"\#(precision)"}"#)
    }

    private func fix(_ world: World, in group: String = "family") -> JSONValue? {
        world.state(of: "alice", in: group)["fix"]
    }

    /// The positions in the messages to a group, other than destinations.
    private func places(_ world: World, to group: String = "family") -> [JSONValue] {
        let prefix = "kith/groups/\(world.names[group].text)/"
        var found: [JSONValue] = []
        func collect(_ value: JSONValue) {
            switch value {
            case .object(let members):
                if value["latitude"] != nil, value["radius"] == nil { found.append(value) }
                for member in members { collect(member.value) }
            case .array(let elements): for element in elements { collect(element) }
            default: break
            }
        }
        for publication in world.published() where publication.topic.hasPrefix(prefix) {
            collect(.read(publication.payload))
        }
        return found
    }

    @Test func `A group with rough precision sees only the cell's centre of a fix`() throws {
        let world = try world()
        world.clear()
        for step in 0..<50 {
            world.sleep(.seconds(10))
            try world.send(
                world.fixMessage(
                    "alice",
                    """
                    {\(Meridian.json(step * 7)),"accuracy":4,"altitude":500,"speed":0.7,"heading":1,\
                    "battery":60,"timestamp":\(world.now.milliseconds)}
                    """))
        }
        let seen = places(world)
        #expect(seen.count >= 50)
        #expect(Set(seen.map { $0["latitude"] }).count == 1)
        #expect(Set(seen.map { $0["longitude"] }).count == 1)
        for place in seen {
            guard case .object(let members) = place else { continue }
            #expect(
                Set(members.map(\.key)) == [
                    "latitude", "longitude", "accuracy", "timestamp", "receivedAt",
                ])
        }
        #expect(world.state(of: "alice")["precision"]?.text == "district")
        #expect(world.meters(of: "alice", in: "work") == 343)
        #expect(world.state(of: "alice", in: "work")["precision"] == nil)
    }

    @Test func `A journey shows a rough group its destination and time but no path`() throws {
        let world = try world()
        try world.fix("alice", TestFix(10))
        world.clear()
        let eta = world.now.milliseconds + 3_600_000
        try world.ask(
            "alice", "journey.start",
            #"{"groups":["$family"],"eta":\#(eta),"destination":{\#(Meridian.json(3000)),"radius":50}}"#
        )
        for step in 1...20 {
            world.sleep(.seconds(20))
            try world.fix("alice", TestFix(step * 20))
        }
        #expect(world.segments(of: "alice").isEmpty)
        #expect(Set(places(world).map { $0["latitude"] }).count == 1)
        let path = try world.ask("bob", "path.get", #"{"group":"$family","user":"alice"}"#)
        #expect(!path.outcome.isEmpty)
        #expect("\(path)".contains("points") == false)
        try world.ask("alice", "journey.stop")
        #expect(world.state(of: "alice")["state"]?.text == "active")
    }

    @Test func `An SOS shows the exact position until it ends`() throws {
        let world = try world()
        try world.fix("alice", TestFix(10))
        world.sleep(.seconds(5))
        try world.ask("alice", "sos.trigger")
        try world.fix("alice", TestFix(20))
        world.sleep(.seconds(5))
        #expect(world.meters(of: "alice") == 20)
        #expect(!world.segments(of: "alice").isEmpty)
        try world.ask("alice", "sos.stop")
        #expect(world.meters(of: "alice") != 20)
        world.clear()
        try world.fix("alice", TestFix(30))
        #expect(Set(places(world).map { $0["latitude"] }).count == 1)
    }

    @Test func `Precision takes effect immediately, even for the last position, and persists`()
        throws
    {
        let world = try world()
        try world.fix("alice", TestFix(10))
        #expect(try set(world, "exact") == "ok")
        #expect(world.meters(of: "alice") == 10)
        try world.ask("alice", "sharing.stop", #"{"groups":"all"}"#)
        #expect(world.meters(of: "alice") == 10)
        #expect(try set(world, "city") == "ok")
        let rough = world.meters(of: "alice")
        #expect(rough != 10)
        try world.restart()
        #expect(world.meters(of: "alice") == rough)
        let members = try world.ask("bob", "members.get", #"{"group":"$family"}"#)
        let own = members["result"]?["members"]?.elements.first { $0["user"]?.text == "alice" }
        #expect(own?["fix"]?["latitude"] == fix(world)?["latitude"])
    }

    @Test func `Lowering the precision removes a journey's path from the group`() throws {
        let world = try World.withFamily()
        try world.addGroup("work", "alice", "bob")
        let eta = world.now.milliseconds + 3_600_000
        try world.ask(
            "alice", "journey.start",
            #"{"groups":"all","eta":\#(eta),"destination":{\#(Meridian.json(9000))}}"#)
        for step in 1...5 {
            world.sleep(.seconds(20))
            try world.fix("alice", TestFix(step * 20))
        }
        try world.pass(.seconds(1))
        #expect(!world.segments(of: "alice").isEmpty)
        #expect(try set(world, "street") == "ok")
        #expect(world.segments(of: "alice").isEmpty)
        #expect(!world.segments(of: "alice", in: "work").isEmpty)
        #expect(world.state(of: "alice")["state"]?.text == "routing")
        // The group that follows it roughly is enough for it to continue.
        try world.ask("alice", "sharing.stop", #"{"groups":["$work"]}"#)
        #expect(world.state(of: "alice")["state"]?.text == "routing")
        try world.ask("alice", "sharing.stop", #"{"groups":["$family"]}"#)
        #expect(try world.outcome("alice", "journey.stop") == "not-on-a-journey")
    }

    @Test func `Only members can set a precision, and an invalid one is rejected`() throws {
        let world = try world()
        #expect(
            try set(world, "planet")
                == "invalid: precision must be exact, street, district or city")
        try world.addUsers("dave")
        let request = #"{"group":"$family","precision":"city"}"#
        #expect(try world.outcome("dave", "sharing.precision", request) == "not-a-member")
    }

    @Test func `A link shows the chosen precision`() throws {
        let world = try world()
        try world.fix("alice", TestFix(10))
        let until = world.now.milliseconds + 600_000
        let link = try world.share(
            "alice", #""what":"position","until":\#(until),"precision":"city""#)
        guard case .number(let latitude)? = world.view(link)?["fix"]?["latitude"] else {
            Issue.record("nothing is seen")
            return
        }
        #expect(abs(Meridian.meters(latitude: latitude) - 10) > 10)
    }
}

extension World {
    /// Discards what was published.
    fileprivate func clear() { _ = published() }
}
