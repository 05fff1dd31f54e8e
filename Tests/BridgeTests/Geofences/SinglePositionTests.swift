import Contract
import JSON
import Testing
import Tracking

@testable import Bridge

/// Notices about people whose phones rarely send.
struct SinglePositionTests {
    /// Bob is notified when Alice, who was seen 2 km away, arrives.
    private func waiting() throws -> World {
        let world = try World.withFamily()
        let rule = try world.addRule(#""when":"arrives","user":"alice""#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        try world.walk("alice", to: [2_000])
        _ = world.published()
        return world
    }

    @Test(arguments: [false, true])
    func `A clear position not contradicted for a minute is an arrival`(isRestarted: Bool) throws {
        let world = try waiting()
        try world.pass(.seconds(3_600))
        let arrival = world.now
        try world.fix("alice", TestFix(0, accuracy: 5))
        try world.pass(.seconds(60))
        #expect(world.published().news == [])
        if isRestarted { try world.restart() }
        try world.pass(.seconds(6))
        let notice = try #require(world.published().first { $0.topic == "kith/users/bob/notices" })
        let told = JSONValue.read(notice.payload)
        #expect(told["kind"]?.text == "place-arrived")
        #expect(told["crossedAt"]?.time == arrival.milliseconds / 1_000, "\(told)")
        try world.pass(.seconds(7_200))
        #expect(world.published().news == [])
    }

    @Test(arguments: [
        TestFix(0, speed: 14, accuracy: 5), TestFix(60, accuracy: 60), TestFix(99, accuracy: 5),
    ])
    func `A single position in passing or at the edge is no arrival`(_ fix: TestFix) throws {
        let world = try waiting()
        try world.pass(.seconds(3_600))
        try world.fix("alice", fix)
        try world.pass(.seconds(600))
        #expect(world.published().news == [])
        // A second position an hour later is an arrival.
        try world.pass(.seconds(3_600))
        try world.fix("alice", TestFix(fix.meters, accuracy: fix.accuracy))
        #expect(world.published().news == ["bob: place-arrived"])
    }

    @Test func `A position contradicted within a minute, or a pause, is no arrival`() throws {
        let world = try waiting()
        for _ in 1...3 {
            try world.fix("alice", TestFix(0, accuracy: 5))
            try world.pass(.seconds(60))
            try world.fix("alice", TestFix(2_000, accuracy: 5))
            try world.pass(.seconds(60))
        }
        #expect(world.published().news == [])
        try world.fix("alice", TestFix(0, accuracy: 5))
        let until = world.now + .seconds(600)
        #expect(
            try world.outcome("alice", "sharing.pause", #"{"until":\#(until.milliseconds)}"#)
                == "ok")
        try world.pass(.seconds(1_200))
        #expect(world.published().news == [])
    }

    @Test func `The first region that an app enters counts immediately`() throws {
        let world = try World.withFamily()
        try world.send(
            world.ownTracks(
                "bob", #"{"_type":"waypoint","desc":"Home","lat":46,"lon":14.5,"rad":80,"tst":7}"#,
                suffix: "waypoint"))
        let places = try world.ask("bob", "geofence.list")["result"]?["geofences"]?.elements
        let fence = try #require(places?.first?["geofence"]?.text)
        for event in ["arrives", "leaves"] {
            #expect(
                try world.outcome(
                    "bob", "geofence.rule.add",
                    #"{"geofence":"\#(fence)","when":"\#(event)","user":"bob","tell":{"user":"alice"}}"#
                ) == "ok")
        }
        _ = world.published()
        for (event, news) in [
            ("enter", ["alice: place-arrived"]), ("enter", []), ("leave", ["alice: place-left"]),
        ] {
            try world.pass(.seconds(60))
            try world.send(
                world.ownTracks(
                    "bob",
                    #"{"_type":"transition","event":"\#(event)","desc":"Home","wtst":7,"#
                        + #""tst":\#(world.now.milliseconds / 1_000)}"#, suffix: "event"))
            #expect(world.published().news == news, "\(event)")
        }
    }

    /// Where Alice was seen last, two hours before she agreed.
    @Test(arguments: [(0, false), (2_000, true)])
    func `A rule uses the last position, even from long before the agreement`(
        metres: Int, isMissed: Bool
    ) throws {
        let world = try World.withFamily()
        try world.walk("alice", to: [metres])
        try world.pass(.seconds(2 * 3_600))
        let rule = try world.addRule(
            #""when":"not-there","by":"15:00","user":"alice","timeZone":"Europe/Ljubljana""#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        _ = world.published()
        try world.pass(until: try #require(Timestamp(rfc3339: "2026-05-01T13:00:01Z")))
        #expect(world.published().news.contains("bob: place-missed") == isMissed)
    }
}
