import Contract
import JSON
import Store
import Testing
import Tracking

@testable import Bridge

/// Notices about a user's own channels.
struct ChannelNoticeTests {
    /// Otherwise a minute with the phone would be enough to follow its owner for good.
    @Test func `Adding or removing a webhook notifies other channels, not the webhook`() throws {
        let world = try World.withChannels()
        _ = try world.add("bob", ChannelTests.push)
        #expect(world.handedOver().isEmpty)
        let hook = try world.ask(
            "bob", "channel.add", #"{"kind":"webhook","url":"https://spy.example/"}"#)
        let told = world.handedOver()
        #expect(told.map(\.message.kind) == ["channel-added"])
        for delivery in told { try world.report(delivery, .delivered) }
        let id = hook["result"]?["channel"]?["channel"]?.text ?? ""
        #expect(try world.outcome("bob", "channel.remove", #"{"channel":"\#(id)"}"#) == "ok")
        #expect(world.handedOver().map(\.message.kind) == ["channel-removed"])
        let list = try world.ask("bob", "notice.list")["result"]?["notices"]?.elements ?? []
        #expect(
            list.compactMap { $0["kind"]?.text }.prefix(2) == ["channel-removed", "channel-added"])
    }

    @Test func `An expired subscription is removed, and its owner notified`() throws {
        let world = try World.withChannels()
        _ = try world.add("bob", ChannelTests.push)
        _ = try world.ask("carol", "friend.add", #"{"user":"bob"}"#)
        let delivery = try #require(world.handedOver().first)
        world.sleep(.seconds(1))
        try world.report(delivery, .failed(.gone, after: nil))
        #expect(try world.count("channels") == 0)
        let list = try world.ask("bob", "notice.list")
        let kinds = list["result"]?["notices"]?.elements.compactMap { $0["kind"]?.text }
        #expect(kinds?.prefix(2) == ["channel-lost", "friend-added"])
    }
}
