import Contract
import JSON
import Store
import Testing
import Tracking

@testable import Bridge

/// Links that show a journey.
struct JourneyLinkTests {
    /// Alice is on her way to 5,000 m, for half an hour.
    private func withJourney(_ body: (World) throws -> Void) throws {
        let world = try World.withFamily()
        try world.fix("alice", TestFix(0))
        let eta = (world.now + .seconds(1800)).milliseconds
        let reply = try world.ask(
            "alice", "journey.start",
            """
            {"groups":"all","eta":\(eta),"destination":{\(Meridian.json(5000)),"name":"Home"}}
            """)
        try #require(reply.outcome == "ok")
        try body(world)
    }

    @Test func `A journey link shows the journey, and for a while that the person arrived`() throws
    {
        try withJourney { world in
            let link = try world.share("alice", #""what":"journey""#)
            let view = try #require(world.view(link))
            #expect(view["journey"]?["destination"]?["name"]?.text == "Home")
            #expect(view["journey"]?["late"] == .bool(false))
            #expect(view["fix"] != nil)
            for step in 1...25 {
                try world.pass(.seconds(20))
                try world.fix("alice", TestFix(step * 200, accuracy: 5))
            }
            try world.pass(.seconds(60))
            try world.fix("alice", TestFix(5000, accuracy: 5))
            let over = try #require(world.view(link))
            #expect(over["ended"]?.text == "arrived")
            #expect(over["fix"] == nil && over["journey"] == nil)
            // Where she goes then is her own affair.
            try world.pass(.seconds(60))
            try world.fix("alice", TestFix(6000))
            #expect(world.view(link)?["fix"] == nil)
            try world.pass(ShareLinks.farewell)
            #expect(world.view(link) == nil)
            #expect(try world.open(link) == "It has ended.")
        }
    }

    @Test func `A journey link does not show another journey`() throws {
        try withJourney { world in
            let link = try world.share("alice", #""what":"journey""#)
            try world.ask("alice", "journey.stop")
            #expect(world.view(link)?["ended"]?.text == "over")
            let eta = (world.now + .seconds(1800)).milliseconds
            try world.ask(
                "alice", "journey.start",
                #"{"groups":"all","eta":\#(eta),"destination":{\#(Meridian.json(9000))}}"#)
            try world.fix("alice", TestFix(10))
            #expect(world.view(link)?["journey"] == nil)
            #expect(world.view(link)?["fix"] == nil)
            try world.restart()
            #expect(world.view(link)?["ended"]?.text == "over")
            #expect(world.view(link)?["fix"] == nil)
        }
    }

    @Test func `A journey link that ends in the turn of an earlier arrival shows it is over`()
        throws
    {
        try withJourney { world in
            for step in 1...25 {
                try world.pass(.seconds(20))
                try world.fix("alice", TestFix(step * 200, accuracy: 5))
            }
            try world.pass(.seconds(60))
            let eta = (world.now + .seconds(1800)).milliseconds
            let next = #"{"groups":"all","eta":\#(eta),"destination":{\#(Meridian.json(9000))}}"#
            try world.turn([
                world.fixMessage("alice", TestFix(5000, accuracy: 5)),
                world.requestMessage("alice", "journey.start", next),
                world.requestMessage("alice", "share.create", #"{"what":"journey"}"#),
                world.requestMessage("alice", "journey.stop"),
            ])
            let views = world.retained.filter { $0.key.hasSuffix("/state") }.values
            #expect(views.map { JSONValue.read($0)["ended"]?.text } == ["over"])
        }
    }

    @Test func `A journey link shows the journey and nothing of an SOS`() throws {
        try withJourney { world in
            let link = try world.share("alice", #""what":"journey""#)
            try world.ask("alice", "sos.trigger")
            world.sleep(.seconds(1))
            try world.fix("alice", TestFix(10))
            let view = try #require(world.view(link))
            #expect(view["fix"]?.fixMeters == 10)
            #expect(Set(view.keys) == ["name", "what", "until", "journey", "fix"])
            try world.ask("alice", "sos.stop")
            #expect(world.view(link)?["journey"] != nil)
            try world.ask("alice", "sos.trigger")
            try world.ask("alice", "journey.stop")
            #expect(world.view(link)?["ended"]?.text != nil)
            #expect(world.view(link)?["fix"] == nil)
        }
    }
}
