import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The end of rules when people are no longer acquainted.
struct GeofenceEndTests {
    /// Bob has a hundred rules about himself, at places of the family.
    private func world() throws -> World {
        let world = try World.withFamily()
        for _ in 0..<5 {
            let made = try world.ask(
                "bob", "geofence.create",
                #"{"name":"School","latitude":46,"longitude":14.5,"group":"$family"}"#)
            let fence = try #require(made["result"]?["geofence"]?["geofence"]?.text)
            for _ in 0..<20 {
                let rule = #"{"geofence":"\#(fence)","when":"arrives","user":"bob"}"#
                #expect(try world.outcome("bob", "geofence.rule.add", rule) == "ok")
            }
        }
        world.sleep(.seconds(600))
        return world
    }

    @Test func `Rules end in steps when their maker leaves, even across a restart`() throws {
        let world = try world()
        world.goesOn = false
        #expect(try world.outcome("bob", "group.leave", #"{"group":"$family"}"#) == "ok")
        #expect(try world.count("geofence_rules") == 50)
        // The remaining ones report nothing.
        _ = world.published()
        try world.restart()
        for _ in 0..<10 { try world.turn([], .timers) }
        #expect(try world.count("geofence_rules") == 0)
    }

    @Test func `Removing a one-sided friend checks no rules`() throws {
        let world = try world()
        try world.pass(.seconds(1))
        try world.addUsers("carol")
        let refusal = try world.outcome("bob", "friend.remove", #"{"user":"carol"}"#)
        #expect(refusal == "not-a-friend")
        world.goesOn = false
        _ = try world.ask("bob", "friend.add", #"{"user":"carol"}"#)
        #expect(try world.outcome("bob", "friend.remove", #"{"user":"carol"}"#) == "ok")
        #expect(world.engine.nextTimer.map { $0 > world.now } ?? true)
        #expect(try world.count("geofence_rules") == 100)
    }

    @Test func `A rule about a person who blocks its maker ends, whether friends or not`() throws {
        let world = try World.withFamily()
        let rule = try world.addRule(#""when":"arrives","user":"alice""#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        #expect(try world.outcome("alice", "friend.block", #"{"user":"bob"}"#) == "ok")
        #expect(try world.count("geofence_rules") == 0)
    }
}
