import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// News about rules that reaches channels, however much noise a user makes.
struct GeofenceNewsTests {
    /// Bob has a webhook; he and Alice are the family.
    private func world() throws -> World {
        let world = try World.withChannels()
        _ = try world.add("bob", ChannelTests.webhook)
        _ = world.handedOver()
        return world
    }

    /// The messages that have reached Bob since the last call.
    private func pushed(_ world: World) throws -> [String] {
        let deliveries = world.handedOver()
        for delivery in deliveries { try world.report(delivery, .delivered) }
        return deliveries.map(\.message.kind)
    }

    private func answer(_ world: World, _ rule: String, _ agrees: Bool) throws {
        let fields = #"{"rule":"\#(rule)","agree":\#(agrees)}"#
        #expect(try world.outcome("alice", "geofence.rule.answer", fields) == "ok")
    }

    @Test(arguments: ["geofence.rule.answer", "location.off"])
    func `The last answer to a rule reaches its maker after any number of others`(_ end: String)
        throws
    {
        let world = try world()
        let rule = try world.addRule(#""when":"arrives","user":"alice""#)
        var all: [String] = []
        for _ in 0..<25 {
            for agrees in [true, false] {
                try answer(world, rule, agrees)
                all += try pushed(world)
            }
            world.sleep(.seconds(1))
        }
        try answer(world, rule, true)
        all += try pushed(world)
        #expect(all.count <= 10)
        if end == "location.off" {
            #expect(try world.outcome("alice", "location.off") == "ok")
        } else {
            try answer(world, rule, false)
        }
        try world.pass(.seconds(660))
        all += try pushed(world)
        #expect(all.last { $0.hasPrefix("place-rule") } == "place-rule-refused")
        let words = try world.noticeList("bob").words.filter { $0.contains("place-rule") }
        #expect(words == ["alice place-rule-refused new"])
    }

    @Test func `An answer that waits for a channel is not deferred by later ones`() throws {
        let world = try world()
        let rule = try world.addRule(#""when":"arrives","user":"alice""#)
        var all: [String] = []
        for number in 0..<280 {
            try answer(world, rule, number % 2 == 0)
            try world.pass(.seconds(5))
            all += try pushed(world)
        }
        #expect((5...8).contains(all.count))
    }

    @Test func `The end of a rule reaches its maker after the ends of others' rules`() throws {
        let world = try world()
        let own = try world.addFence(by: "alice")
        var ended = 0
        for _ in 0..<25 {
            let reply = try world.ask(
                "alice", "geofence.rule.add",
                #"{"geofence":"\#(own)","when":"arrives","user":"alice","tell":{"user":"bob"}}"#)
            let rule = try #require(reply["result"]?["rule"]?["rule"]?.text)
            _ = try world.ask("alice", "geofence.rule.end", #"{"rule":"\#(rule)"}"#)
            ended += try pushed(world).count { $0 == "place-rule-ended" }
        }
        #expect(ended == 20)
        _ = try world.addRule(#""when":"arrives","user":"alice""#)
        _ = try pushed(world)
        #expect(try world.outcome("alice", "group.leave", #"{"group":"$family"}"#) == "ok")
        #expect(try pushed(world).contains("place-rule-ended"))
    }

    @Test func `Others' rules push a limited number of missed places, a user's own always`() throws
    {
        let world = try world()
        let due = #""when":"not-there","timeZone":"UTC","once":true"#
        var missed = 0
        for minute in ["10", "20", "30"] {
            for number in 0..<10 {
                let made = try world.ask(
                    "alice", "geofence.create",
                    #"{"name":"Text \#(number)","latitude":47,"longitude":14.5}"#)
                let fence = try #require(made["result"]?["geofence"]?["geofence"]?.text, "\(made)")
                let rule =
                    #"{"geofence":"\#(fence)",\#(due),"by":"10:\#(minute)","user":"alice","tell":{"user":"bob"}}"#
                #expect(try world.outcome("alice", "geofence.rule.add", rule) == "ok")
            }
            try world.pass(.seconds(600))
            for _ in 0..<12 {
                missed += try pushed(world).count { $0 == "place-missed" }
                try world.pass(.seconds(6))
            }
        }
        #expect((24...27).contains(missed), "of 30")
        let rule = try world.addRule(#"\#(due),"by":"10:45","user":"alice""#)
        try answer(world, rule, true)
        _ = try pushed(world)
        try world.pass(.seconds(900))
        #expect(try pushed(world).contains("place-missed"))
    }

    @Test func `A notice about one of two look-alikes states the user name`() throws {
        let world = try world()
        try world.operate(
            .addUser("a1ice", displayName: "Alice", email: nil, ownTracksPublishIsSOS: false),
            .addMember(world.names["family"], "a1ice"))
        let rule = try world.addRule(#""when":"arrives","user":"alice""#)
        try answer(world, rule, true)
        _ = world.published()
        try world.visit(by: "alice")
        let notice = try #require(world.notices(of: "bob").last)
        #expect(notice["kind"]?.text == "place-arrived")
        #expect(notice["name"]?.text == "Alice (alice)")
    }
}
