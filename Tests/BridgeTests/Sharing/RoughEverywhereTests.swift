import Contract
import JSON
import MQTT
import Testing
import Tracking

@testable import Bridge

/// A viewer with a rough view finds no exact position in anything else that reaches them.
struct RoughEverywhereTests {
    /// Alice works with Carol, and is seen there only as in her town; her family sees her exactly.
    /// Carol has an OwnTracks app and a webhook that receives everything.
    private func world() throws -> World {
        let world = try World.withChannels()
        try Script.play(in: world, "10:00:00 carol's app at 900 m")
        let reply = try world.add("carol", ChannelTests.webhook)
        let id = try #require(reply["result"]?["channel"]?["channel"]?.text)
        let all = #"{"channel":"\#(id)","news":["alerts","journeys","notices"]}"#
        #expect(try world.outcome("carol", "channel.update", all) == "ok")
        let rough = #"{"group":"$work","precision":"city"}"#
        #expect(try world.outcome("alice", "sharing.precision", rough) == "ok")
        #expect(try world.outcome("alice", "sharing.start", #"{"groups":"all"}"#) == "ok")
        _ = world.published()
        return world
    }

    /// Alice's latitude after so many steps, as it is written.
    private func latitude(_ step: Int) -> String { "46.05\(100 + step)37" }

    private func walk(_ world: World, _ step: Int) throws {
        world.sleep(.seconds(5))
        try world.send(
            world.fixMessage(
                "alice",
                """
                {"latitude":\(latitude(step)),"longitude":14.5,\
                "timestamp":\(world.now.milliseconds)}
                """))
    }

    /// Everything that has reached Carol, and that she could request.
    private func seen(_ world: World) throws -> [String] {
        let family = "kith/groups/\(world.names["family"].text)/"
        var texts = world.published().filter {
            !$0.topic.hasPrefix(family) && !$0.topic.hasPrefix("kith/users/alice/")
        }.map { "\($0.topic) \(String(decoding: $0.payload, as: UTF8.self))" }
        for delivery in world.handedOver() {
            texts.append(String(decoding: delivery.message.payload, as: UTF8.self))
            try world.report(delivery, .delivered)
        }
        for (method, fields) in [
            ("members.get", #""group":"$work""#), ("alert.list", #""group":"$work""#),
            ("path.get", #""group":"$work","user":"alice""#),
            ("chat.history", #""group":"$work""#), ("notice.list", ""),
            ("friend.nearby", #""radius":100000"#), ("account.export", ""),
        ] {
            let reply = try world.ask("carol", method, "{\(fields)}")
            texts.append("\(method) \(String(describing: reply))")
        }
        return texts
    }

    private func check(_ world: World, _ steps: ClosedRange<Int>, _ what: String) throws {
        let texts = try seen(world)
        #expect(texts.contains { $0.contains("\"state\"") }, "\(what)")
        for step in steps {
            for text in texts where text.contains(latitude(step)) {
                Issue.record("\(what): \(text.prefix(160))")
            }
        }
    }

    @Test func `Only an SOS shows an exact position to a rough viewer`() throws {
        let world = try world()
        for step in 0..<5 { try walk(world, step) }
        try check(world, 0...4, "sharing")
        let eta = (world.now + .seconds(600)).milliseconds
        let journey = """
            {"groups":"all","destination":{"latitude":47,"longitude":15},"eta":\(eta)}
            """
        #expect(try world.outcome("alice", "journey.start", journey) == "ok")
        for step in 5..<10 { try walk(world, step) }
        try check(world, 0...9, "journey")
        // She is late, silent and offline, and comes back.
        try world.pass(.seconds(1200))
        try check(world, 0...9, "alerts")
        try walk(world, 10)
        #expect(try world.outcome("alice", "journey.stop") == "ok")
        try check(world, 0...10, "the end of the journey")
        let until = (world.now + .seconds(600)).milliseconds
        #expect(try world.outcome("alice", "sharing.pause", #"{"until":\#(until)}"#) == "ok")
        try walk(world, 11)
        try check(world, 0...11, "pause")
        #expect(try world.outcome("alice", "sharing.resume") == "ok")
        try check(world, 0...11, "after the pause")
        #expect(try world.outcome("alice", "sos.trigger") == "ok")
        try walk(world, 12)
        // Her helpers have to find her.
        #expect(try seen(world).contains { $0.contains(latitude(12)) })
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        _ = try seen(world)
        for step in 13..<16 { try walk(world, step) }
        try check(world, 13...15, "after the SOS")
        try world.restart()
        try walk(world, 16)
        try check(world, 13...16, "after a restart")
    }
}
