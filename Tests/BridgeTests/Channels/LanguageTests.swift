import Contract
import JSON
import Languages
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Users are notified in their own language.
struct LanguageTests {
    private func world() throws -> World {
        var settings = BridgeSettings()
        settings.languages = Catalogues([
            .german: Array(
                """
                {"{name} has sent an SOS and needs help!":"{name} braucht Hilfe!",
                 "No position is known.":"Kein Ort bekannt.","{text} ({group})":"{group}: {text}",
                 "{name} will check in by {time}.":"{name} geht es gut bis {time}.",
                 "{name} is coming.":"{name} kommt."}
                """.utf8)
        ])
        let world = try World.withNeighbours(settings)
        _ = try world.add("bob", ChannelTests.webhook)
        return world
    }

    @Test func `A call is sent in its recipient's language and published in English`() throws {
        let world = try world()
        #expect(try world.outcome("bob", "account.update", #"{"language":"de"}"#) == "ok")
        _ = try world.add("carol", ChannelTests.webhook)
        _ = world.published()
        _ = try world.ask("alice", "sos.trigger")
        var words: [Name: String] = [:]
        for delivery in world.handedOver() { words[delivery.user] = delivery.message.text }
        #expect(words["bob"]?.hasSuffix("Alice braucht Hilfe! Kein Ort bekannt.") == true)
        let told = world.published().last { $0.topic.hasSuffix("/alerts") }
        #expect(
            JSONValue.read(told?.payload ?? [])["text"]?.text
                == "Alice has sent an SOS and needs help! No position is known.")
    }

    @Test func `Times are shown in the time zone of the quiet hours`() throws {
        let world = try world()
        #expect(try world.outcome("bob", "account.update", #"{"language":"de"}"#) == "ok")
        let channel = try world.ask("bob", "channel.list")["result"]?["channels"]?.elements.first
        let id = channel?["channel"]?.text ?? ""
        let quiet = #"{"from":"02:00","to":"03:00","timeZone":"Europe/Zurich"}"#
        #expect(
            try world.outcome(
                "bob", "channel.update",
                #"{"channel":"\#(id)","quiet":\#(quiet),"news":["journeys"]}"#)
                == "ok")
        let eta = world.now.milliseconds + 600_000
        _ = try world.ask("alice", "journey.start", #"{"groups":"all","eta":\#(eta)}"#)
        let text = try world.count(
            "deliveries", where: "words LIKE '%Alice geht es gut bis 12:10.%'")
        #expect(text > 0)
    }
}
