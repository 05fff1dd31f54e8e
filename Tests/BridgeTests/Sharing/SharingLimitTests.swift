import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Sharing for a while, and pausing it.
struct SharingLimitTests {
    private func share(_ world: World, for seconds: Int64? = nil, _ groups: String = #""all""#)
        throws
    {
        let until = seconds.map { #","until":\#(world.now.milliseconds + $0 * 1000)"# } ?? ""
        #expect(
            try world.outcome("alice", "sharing.start", #"{"groups":\#(groups)\#(until)}"#) == "ok")
    }

    private func state(_ world: World) -> String? { world.state(of: "alice")["state"]?.text }

    private func notices(_ world: World) throws -> [String] {
        try world.ask("alice", "notice.list")["result"]?["notices"]?.elements
            .compactMap { $0["kind"]?.text } ?? []
    }

    private func pause(_ world: World, for seconds: Int64 = 600) throws -> String {
        try world.outcome(
            "alice", "sharing.pause", #"{"until":\#(world.now.milliseconds + seconds * 1000)}"#)
    }

    @Test func `Sharing for an hour ends after an hour, and the person is notified`() throws {
        let world = try World.withFamily()
        try share(world, for: 3600)
        try world.fix("alice", TestFix(10))
        #expect(world.state(of: "alice")["until"]?.text != nil)
        try world.pass(.seconds(3599))
        #expect(state(world) == "active")
        try world.pass(.seconds(2))
        #expect(state(world) == "inactive")
        #expect(world.state(of: "alice")["until"] == nil)
        #expect(try notices(world) == ["sharing-ended"])
        // Later positions are shown to no one.
        try world.fix("alice", TestFix(500))
        #expect(world.meters(of: "alice") == 10)
    }

    @Test func `Limited sharing ends on time after a restart, once`() throws {
        let world = try World.withFamily()
        try share(world, for: 3600)
        world.sleep(.seconds(7200))
        try world.restart()
        try world.pass(.seconds(1))
        #expect(state(world) == "inactive")
        try world.blink()
        try world.pass(.seconds(1))
        #expect(try notices(world) == ["sharing-ended"])
    }

    @Test func `Sharing again moves the end or removes it`() throws {
        let world = try World.withFamily()
        try share(world, for: 3600)
        try share(world, for: 7200)
        try world.pass(.seconds(3700))
        #expect(state(world) == "active")
        try share(world)
        try world.pass(.seconds(7200))
        #expect(state(world) == "active")
        // Stopping and starting again also removes it.
        try share(world, for: 600)
        try world.ask("alice", "sharing.stop", #"{"groups":"all"}"#)
        try share(world)
        try world.pass(.seconds(700))
        #expect(state(world) == "active")
    }

    @Test func `A journey and an SOS continue beyond the end of sharing`() throws {
        let world = try World.withFamily()
        try share(world, for: 600)
        let eta = world.now.milliseconds + 3_600_000
        try world.ask(
            "alice", "journey.start",
            #"{"groups":"all","eta":\#(eta),"destination":{\#(Meridian.json(9000))}}"#)
        try world.pass(.seconds(700))
        #expect(state(world) == "routing")
        try world.ask("alice", "journey.stop")
        try world.pass(.seconds(1))
        #expect(state(world) == "inactive")
        try share(world, for: 600)
        try world.ask("alice", "sos.trigger")
        try world.pass(.seconds(700))
        #expect(state(world) == "sos")
        try world.ask("alice", "sos.stop")
        try world.pass(.seconds(1))
        #expect(state(world) == "inactive")
    }

    @Test(arguments: ["1", "1577876400000", #""soon""#, "99999999999999"])
    func `An invalid end is rejected`(_ end: String) throws {
        let world = try World.withFamily()
        for (method, rest) in [("sharing.start", #""groups":"all","#), ("sharing.pause", "")] {
            let outcome = try world.outcome("alice", method, #"{\#(rest)"until":\#(end)}"#)
            #expect(outcome.hasPrefix("invalid: until "), "\(method): \(outcome)")
        }
        #expect(state(world) == "inactive")
    }

    // MARK: Pausing

    @Test func `A position taken in a pause stays hidden after location was turned off`() throws {
        let world = try World.withFriends()
        try world.addGroup("family", "alice", "bob")
        try share(world)
        try world.fix("alice", TestFix(10))
        #expect(try pause(world) == "ok")
        world.sleep(.seconds(5))
        #expect(try world.outcome("alice", "location.off") == "ok")
        world.sleep(.seconds(10))
        try share(world)
        try world.fix("alice", TestFix(700, ago: 12))
        #expect(world.meters(of: "alice") == nil)
        try world.fix("alice", TestFix(800))
        #expect(world.meters(of: "alice") == 800)
    }

    @Test func `A pause hides the person from everyone and ends by itself`() throws {
        let world = try World.withFriends()
        try world.addGroup("family", "alice", "bob")
        try share(world)
        try world.ask("alice", "friend.share", #"{"with":"all"}"#)
        let link = try world.sharePosition()
        try world.fix("alice", TestFix(10))
        #expect(world.location != nil)
        #expect(try pause(world) == "ok")
        world.sleep(.seconds(5))
        try world.fix("alice", TestFix(700))
        #expect(state(world) == "inactive")
        #expect(world.meters(of: "alice") == 10)
        #expect(world.location == nil)
        #expect(world.view(link)?["fix"] == nil)
        let nearby = try world.ask(
            "bob", "friend.nearby", #"{"radius":90000,"fix":{\#(Meridian.json(0))}}"#)
        #expect(nearby["result"]?["total"]?.integer == 0)
        #expect(
            try world.ask("alice", "sharing.list")["result"]?["watchers"]?.elements.count == 0)
        #expect(try world.ask("alice", "account.get")["result"]?["pausedUntil"] != nil)
        try world.restart()
        #expect(world.location == nil)
        try world.pass(.seconds(601))
        #expect(state(world) == "active")
        // Her positions in the pause are not shown afterwards either.
        try expectNothingShown(world, link)
        try world.restart()
        try expectNothingShown(world, link)
        try world.fix("alice", TestFix(800))
        #expect(world.meters(of: "alice") == 800)
        #expect(world.location != nil)
        #expect(world.view(link)?["fix"] != nil)
        #expect(try world.ask("alice", "account.get")["result"]?["pausedUntil"] == nil)
    }

    private func expectNothingShown(_ world: World, _ link: World.MadeLink) throws {
        #expect(world.state(of: "alice")["fix"] == .null)
        #expect(world.location == nil)
        #expect(world.view(link)?["fix"] == nil)
        let nearby = try world.ask(
            "bob", "friend.nearby", #"{"radius":90000,"fix":{\#(Meridian.json(0))}}"#)
        #expect(nearby["result"]?["total"]?.integer == 0)
        let members = try world.ask("bob", "members.get", #"{"group":"$family"}"#)
        let alice = members["result"]?["members"]?.elements.first {
            $0["user"] == .string("alice")
        }
        #expect(alice?["state"] == .string("active") && alice?["fix"] == .null)
    }

    @Test func `Positions taken in a pause are shown only in an SOS`() throws {
        let world = try World.withFamily()
        try share(world)
        try world.fix("alice", TestFix(10))
        #expect(try pause(world) == "ok")
        world.sleep(.seconds(5))
        try world.fix("alice", TestFix(700))
        #expect(try world.outcome("alice", "sharing.resume") == "ok")
        #expect(world.state(of: "alice")["fix"] == .null)
        // Nor in the state that a group keeps after it no longer sees her.
        #expect(try pause(world) == "ok")
        #expect(world.state(of: "alice")["fix"] == .null)
        #expect(try world.outcome("alice", "sharing.stop", #"{"groups":"all"}"#) == "ok")
        #expect(world.state(of: "alice")["fix"] == .null)
        #expect(try world.outcome("alice", "sos.trigger") == "ok")
        #expect(world.meters(of: "alice") == 700)
    }

    @Test(arguments: ["sharing.resume", "sharing.start", "journey.start", "sos.trigger"])
    func `Any form of sharing ends a pause`(_ method: String) throws {
        let world = try World.withFamily()
        try share(world)
        #expect(try pause(world) == "ok")
        let request =
            switch method {
            case "sharing.start": #"{"groups":"all"}"#
            case "journey.start":
                """
                {"groups":"all","eta":\(world.now.milliseconds + 3_600_000),\
                "destination":{\(Meridian.json(9000))}}
                """
            default: "{}"
            }
        #expect(try world.outcome("alice", method, request) == "ok")
        #expect(state(world) != "inactive")
        #expect(try world.ask("alice", "account.get")["result"]?["pausedUntil"] == nil)
    }

    @Test func `An SOS cannot be paused`() throws {
        let world = try World.withFamily()
        try world.ask("alice", "sos.trigger")
        #expect(try pause(world) == "already-in-sos")
        #expect(state(world) == "sos")
    }

    @Test func `Sharing that ended during a pause stays ended`() throws {
        let world = try World.withFamily()
        try world.addGroup("work", "alice", "bob")
        try share(world, for: 300, #"["$family"]"#)
        try share(world, nil, #"["$work"]"#)
        #expect(try pause(world) == "ok")
        try world.pass(.seconds(700))
        #expect(state(world) == "inactive")
        #expect(world.state(of: "alice", in: "work")["state"]?.text == "active")
        // Stopped during the pause.
        #expect(try pause(world) == "ok")
        try world.ask("alice", "sharing.stop", #"{"groups":"all"}"#)
        try world.pass(.seconds(700))
        #expect(world.state(of: "alice", in: "work")["state"]?.text == "inactive")
    }

    private func share(_ world: World, _ seconds: Int64?, _ groups: String) throws {
        try share(world, for: seconds, groups)
    }
}

extension World {
    func meters(of user: Name, in group: String = "family") -> Int? {
        guard case .number(let latitude)? = state(of: user, in: group)["fix"]?["latitude"] else {
            return nil
        }
        return Meridian.meters(latitude: latitude)
    }

    /// Alice's location as her friends see it.
    fileprivate var location: JSONValue? {
        retained["kith/users/alice/location"].flatMap { $0.isEmpty ? nil : .read($0) }
    }
}
