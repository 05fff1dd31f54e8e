import Contract
import Gazetteer
import JSON
import Testing
import Tracking

@testable import Bridge

/// The place of an alert, in words.
struct AlertPlaceTests {
    private func world() throws -> World {
        var settings = BridgeSettings()
        let gazetteer = Gazetteer(lines: "Ljubljana\tSI\t46050\t14500\t280\t7")
        settings.describePlace = { gazetteer.describe($0) }
        let world = try World.withNeighbours(settings)
        _ = try world.add("bob", ChannelTests.webhook)
        return world
    }

    @Test func `A call names the city around its position, on its topic and on channels`() throws {
        let world = try world()
        try world.fix("alice", TestFix(0))
        _ = world.published()
        try world.ask("alice", "sos.trigger")
        let words = "Alice has sent an SOS and needs help! Last seen: Ljubljana."
        let alert = world.published().last { $0.topic.hasSuffix("/alerts") }
        #expect(JSONValue.read(alert?.payload ?? [])["text"]?.text == words)
        #expect(world.handedOver().last?.message.text == words + " (Family)")
    }

    @Test func `A call without a position names no city`() throws {
        let world = try world()
        try world.ask("alice", "sos.trigger")
        let text = world.handedOver().last?.message.text
        #expect(text == "Alice has sent an SOS and needs help! No position is known. (Family)")
    }
}
