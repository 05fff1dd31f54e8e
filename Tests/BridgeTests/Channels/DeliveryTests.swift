import Contract
import JSON
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Deliveries to channels: which, in which order, and how often.
struct DeliveryTests {
    /// Bob has a webhook, Alice calls for help.
    private func world(_ news: String = "") throws -> World {
        let world = try World.withChannels()
        let reply = try world.add("bob", ChannelTests.webhook)
        if !news.isEmpty, let id = reply["result"]?["channel"]?["channel"]?.text {
            _ = try world.ask("bob", "channel.update", #"{"channel":"\#(id)","news":\#(news)}"#)
        }
        return world
    }

    /// Bob's webhook has a call of Alice's, and Dave is also in the family.
    private func calledBesideDave() throws -> (World, Delivery, UUIDv7) {
        let world = try World.withChannels()
        try world.operate(.addMember(world.names["family"], "dave"))
        _ = try world.add("bob", ChannelTests.webhook)
        _ = world.handedOver()
        _ = try world.ask("alice", "sos.trigger")
        let first = try #require(world.handedOver().first { $0.message.kind == "sos" })
        return (world, first, try #require(first.message.alert))
    }

    /// Alice's webhook has the question whether she is all right.
    private func questioned() throws -> (World, Delivery) {
        let world = try World.withWatchedAlice()
        _ = try world.add("alice", ChannelTests.webhook)
        _ = world.handedOver()
        try world.measure(#""heartRate":28"#)
        let first = try #require(world.handedOver().first)
        #expect(first.message.kind == "are-you-all-right")
        return (world, first)
    }

    @Test func `An SOS goes to all channels of the other members and no one else`() throws {
        let world = try world("[]")
        _ = try world.add("alice", ChannelTests.webhook)
        _ = try world.add("dave", ChannelTests.webhook)
        _ = try world.ask("alice", "sos.trigger", #"{"fix":{"latitude":46,"longitude":14.5}}"#)
        let deliveries = world.handedOver()
        #expect(deliveries.map(\.message.kind) == ["sos"])
        let message = try #require(deliveries.first?.message)
        #expect(message.title == "Alice: SOS")
        // Neither a mail nor a locked screen shows a position.
        let words = String(decoding: message.words(for: "bob"), as: UTF8.self)
        #expect(!words.contains("latitude"))
        #expect(words.hasPrefix(#"{"user":"bob","#))
        #expect(deliveries.first?.user == "bob")
        #expect(String(decoding: message.payload, as: UTF8.self).contains("latitude"))
    }

    @Test func `A call is sent again with every repetition until it is seen`() throws {
        let world = try world()
        _ = try world.ask("alice", "sos.trigger")
        let first = try #require(world.handedOver().first)
        try world.report(first, .delivered)
        try world.pass(.seconds(65))
        let again = try #require(world.handedOver().first)
        #expect(again.message.id == first.message.id + "-1")
        #expect(again.message.alert == first.message.alert)
        try world.report(again, .failed(.timeout, after: nil))
        let alert = try #require(first.message.alert)
        #expect(try world.outcome("bob", "alert.acknowledge", #"{"alert":"\#(alert)"}"#) == "ok")
        #expect(try world.count("deliveries", where: "kind = 'sos'") == 0)
        try world.pass(.seconds(600))
        #expect(world.handedOver().filter { $0.message.kind == "sos" }.isEmpty)
    }

    @Test func `A repetition goes to the channels of members who have not seen the call`() throws {
        let world = try World.withChannels()
        try world.operate(.addMember(world.names["family"], "dave"))
        for sender in ["bob", "dave"] as [Sender] {
            _ = try world.add(sender, ChannelTests.webhook)
        }
        _ = world.handedOver()
        try world.fix("alice", TestFix(0))
        _ = try world.ask("alice", "sos.trigger")
        let first = world.handedOver().filter { $0.message.kind == "sos" }
        #expect(first.count == 2)
        for each in first { try world.report(each, .delivered) }
        let alert = try #require(first.first?.message.alert)
        #expect(try world.outcome("bob", "alert.acknowledge", #"{"alert":"\#(alert)"}"#) == "ok")
        try world.pass(.seconds(61))
        let again = world.handedOver().filter { $0.message.kind == "sos" }
        #expect(again.map(\.user) == ["dave"])
    }

    @Test(arguments: ["not-coming", "leaves"])
    func `A withdrawn answer resends the call to members it had not reached`(_ end: String) throws {
        let (world, first, alert) = try calledBesideDave()
        func say(_ kind: String) throws {
            let answer = #"{"alert":"\#(alert)","kind":"\#(kind)"}"#
            #expect(try world.outcome("dave", "alert.acknowledge", answer) == "ok")
        }
        try say("coming")
        try world.report(first, .failed(.timeout, after: nil))
        try world.pass(.seconds(50))
        try world.restart()
        #expect(world.handedOver().isEmpty, "while it is answered")
        if end == "leaves" {
            #expect(try world.outcome("dave", "group.leave", #"{"group":"$family"}"#) == "ok")
        } else {
            for _ in 0..<5 {
                try say("not-coming")
                try say("coming")
            }
            try say("not-coming")
        }
        try world.turn([], .timers)
        let again = world.handedOver().filter { $0.message.kind == "sos" }
        #expect(again.map(\.message.id) == [first.message.id])
        try world.report(try #require(again.first), .delivered)
        #expect(try world.count("deliveries", where: "kind = 'sos'") == 0)
    }

    @Test func `An answered call is not sent again and does not count as a failure`() throws {
        let (world, first, alert) = try calledBesideDave()
        let answer = #"{"alert":"\#(alert)","kind":"coming"}"#
        #expect(try world.outcome("dave", "alert.acknowledge", answer) == "ok")
        try world.report(first, .failed(.timeout, after: nil))
        for _ in 0..<50 {
            for other in world.handedOver() {
                #expect(other.message.kind != "sos")
                try world.report(other, .delivered)
            }
            try world.pass(.seconds(3_600))
        }
        #expect(try world.count("deliveries", where: "kind = 'sos'") == 0)
        #expect(world.engine.counters.values["deliveries-given-up", default: 0] == 0)
    }

    @Test func `A call answered while the clock was behind is not sent once the clock is right`()
        throws
    {
        let (world, _, alert) = try calledBesideDave()
        world.sleep(.seconds(-10_800))
        try world.restart()
        let answer = #"{"alert":"\#(alert)","kind":"coming"}"#
        #expect(try world.outcome("dave", "alert.acknowledge", answer) == "ok")
        _ = world.handedOver()
        world.sleep(.seconds(10_800))
        for _ in 0..<23 {
            try world.pass(.seconds(3_600))
            for other in world.handedOver() {
                #expect(other.message.kind != "sos")
                try world.report(other, .delivered)
            }
        }
    }

    @Test func `A mail that the operator's server refuses is sent again`() throws {
        let world = try World.withChannels()
        let id = try world.addMail("bob", "bob@example.org")
        let message = try #require(world.handedOver().last)
        try world.report(message, .delivered)
        let code = message.message.title.suffix(ChannelCommand.codeLength)
        let confirmation = #"{"channel":"\#(id)","code":"\#(code)"}"#
        #expect(try world.outcome("bob", "channel.confirm", confirmation) == "ok")
        #expect(try world.outcome("alice", "sos.trigger", "") == "ok")
        let call = try #require(world.handedOver().first { $0.kind == .mail })
        try world.report(call, .failed(.mailServer, after: nil))
        try world.pass(.seconds(10))
        let again = try #require(world.handedOver().first { $0.kind == .mail })
        #expect(again.message.id == call.message.id)
    }

    @Test func `Mail is a concern after three server failures or refusals of two users`() throws {
        let world = try World.withChannels()
        _ = try world.addMail("bob", "bob@example.org")
        _ = try world.addMail("alice", "alice@example.org")
        let codes = world.handedOver()
        let (bob, alice) = (try #require(codes.first), try #require(codes.last))
        let state = world.engine.memory.state(ChannelState.self)
        func note(_ delivery: Delivery, _ reasons: DeliveryFailure...) {
            for reason in reasons {
                state.note(DeliveryOutcome(of: delivery, .failed(reason, after: nil)))
            }
        }
        note(bob, .unreachable, .timeout, .gone, .unreachable, .timeout)
        #expect(state.failing.isEmpty)
        note(bob, .encryption)
        #expect(state.failing == [.mail])
        note(bob, .refused, .mailServer, .mailServer, .mailServer, .mailServer)
        #expect(state.failing.isEmpty)
        note(alice, .mailServer)
        #expect(state.failing == [.mail])
        state.note(DeliveryOutcome(of: bob, .delivered))
        #expect(state.failing.isEmpty)
    }

    @Test func `A failed delivery is retried at growing intervals until it expires`() throws {
        let world = try world()
        _ = try world.ask("carol", "friend.add", #"{"user":"bob"}"#)
        var times: [Timestamp] = []
        while try world.count("deliveries") > 0, times.count < 1_000 {
            for delivery in world.handedOver() {
                times.append(world.now)
                try world.report(delivery, .failed(.unreachable, after: nil))
            }
            try world.pass(.seconds(1))
        }
        let pauses = zip(times.dropFirst(), times).map { ($0 - $1) / .seconds(1) }
        #expect(times.count > 20 && times.count < 60)
        #expect((pauses.first ?? 0) < 12)
        #expect((pauses.last ?? 0) > 1_800)
        #expect(times.last.map { $0 <= Timestamp.morning + .seconds(86_400) } == true)
        let channel = try world.ask("bob", "channel.list")["result"]?["channels"]?.elements.first
        #expect(channel?["failure"]?.text == "unreachable")
        #expect(channel?["workedAt"] == nil)
    }

    /// Sixty-four messages are under way to channels that failed last time, and more wait.
    @Test func `A call for help waits only for failing receivers of other calls`() throws {
        let world = try world()
        let crowd = (0..<10).map { Name(stringLiteral: "m\($0)") }
        for name in crowd {
            try world.addUsers(name)
            for number in 0..<8 {
                let url = "https://\(name)-\(number).example.org/"
                let reply = try world.add(
                    Sender(name.text), #""kind":"webhook","url":"\#(url)""#)
                #expect(reply.outcome == "ok")
            }
        }
        for name in crowd + ["bob"] {
            _ = try world.ask("carol", "friend.add", #"{"user":"\#(name)"}"#)
            for delivery in world.handedOver() {
                try world.report(delivery, .failed(.timeout, after: nil))
            }
        }
        try world.pass(.seconds(30))
        let hanging = world.handedOver()
        #expect(hanging.count >= 40)
        #expect(hanging.allSatisfy { $0.urgency == .notice })
        _ = try world.ask("alice", "sos.trigger")
        #expect(world.handedOver().map(\.message.kind) == ["sos"])
    }

    @Test func `A receiver's retry delay is honoured`() throws {
        let world = try world()
        _ = try world.ask("carol", "friend.add", #"{"user":"bob"}"#)
        let delivery = try #require(world.handedOver().first)
        try world.report(delivery, .failed(.tooMany, after: .seconds(900)))
        try world.pass(.seconds(899))
        #expect(world.handedOver().isEmpty)
        try world.pass(.seconds(1))
        #expect(world.handedOver().count == 1)
    }

    @Test func `A delivery interrupted by a restart is sent again immediately`() throws {
        let world = try world()
        _ = try world.ask("alice", "sos.trigger")
        let first = try #require(world.handedOver().first)
        // Its outcome is never reported.
        try world.restart()
        try world.turn()
        #expect(world.handedOver().map(\.message.id) == [first.message.id])
    }

    /// The question is useful for half a minute, and a loan lasts for two minutes.
    @Test(arguments: [false, true])
    func `A failed or interrupted vital-sign question is sent again in time`(_ isCutOff: Bool)
        throws
    {
        let (world, first) = try questioned()
        if isCutOff {
            try world.restart()
        } else {
            try world.report(first, .failed(.timeout, after: nil))
        }
        try world.pass(.seconds(4))
        #expect(world.handedOver().map(\.message.id) == [first.message.id])
    }

    @Test(arguments: ["fine", "over", "ended"])
    func `A failed vital-sign question is not sent once it is over`(_ end: String) throws {
        let (world, first) = try questioned()
        try world.report(first, .failed(.timeout, after: nil))
        switch end {
        case "fine": #expect(try world.outcome("alice", "emergency.fine") == "ok")
        case "ended": #expect(try world.outcome("alice", "emergency.unsubscribe") == "ok")
        default:
            for _ in 0..<12 {
                world.sleep(.seconds(1))
                try world.measure(#""heartRate":72"#)
            }
            #expect(try world.watched()["state"]?.text == "watching")
            // The question was repeated before.
            for again in world.handedOver() {
                try world.report(again, .failed(.timeout, after: nil))
            }
        }
        for _ in 0..<30 {
            try world.pass(.seconds(1))
            #expect(!world.handedOver().contains { $0.message.kind == first.message.kind })
        }
        #expect(try world.count("deliveries", where: "kind = 'are-you-all-right'") == 0)
    }

    @Test func `A delivery without an outcome is due again after two minutes`() throws {
        let world = try world()
        _ = try world.ask("carol", "friend.add", #"{"user":"bob"}"#)
        #expect(world.handedOver().count == 1)
        try world.pass(.seconds(100))
        #expect(world.handedOver().isEmpty)
        try world.pass(.seconds(30))
        #expect(world.handedOver().count == 1)
    }

    @Test func `A call for help overtakes waiting notices`() throws {
        let world = try World.withChannels()
        for number in 0..<12 {
            _ = try world.add(
                "bob", #""kind":"webhook","url":"https://hook.example.org/\#(number)""#)
        }
        // Each is notified of those added after it.
        while try world.count("deliveries") > 0 {
            for delivery in world.handedOver() { try world.report(delivery, .delivered) }
            try world.pass(.seconds(5))
        }
        _ = try world.ask("carol", "friend.add", #"{"user":"bob"}"#)
        // Eight per user at a time; the rest when there is room.
        let notices = world.handedOver()
        #expect(notices.count == 8)
        _ = try world.ask("alice", "sos.trigger")
        let calls = world.handedOver()
        #expect(calls.map(\.message.kind) == Array(repeating: "sos", count: 12))
        for delivery in notices + calls { try world.report(delivery, .delivered) }
        try world.pass(.seconds(5))
        #expect(world.handedOver().filter { $0.message.kind == "friend-added" }.count == 4)
    }

    @Test func `A user's backlog does not delay other users`() throws {
        let world = try world()
        let carol = try #require(world.engine.memory.person("carol"))
        _ = try world.add("carol", ChannelTests.webhook)
        try world.store.transaction { transaction in
            let channel = try transaction.channels(of: carol.id)[0]
            for number in 0..<2_000 {
                let message = ChannelMessage(
                    id: "\(number)", kind: "sos", title: "", text: "", at: world.now, view: "")
                try transaction.insert(
                    DeliveryRow(
                        channel: channel.id, user: carol.id, message: message, urgency: .sos,
                        due: world.now - .seconds(10), expiresAt: world.now + .seconds(86_400)))
            }
        }
        try world.restart()
        _ = try world.ask("alice", "sos.trigger", #"{"id":"a"}"#)
        let bob = try #require(world.engine.memory.person("bob"))
        let channel = try world.store.transaction { try $0.channels(of: bob.id)[0].id }
        try world.pass(.milliseconds(1))
        #expect(world.handedOver().contains { $0.channel == channel })
    }

    @Test func `A former member gets no more deliveries of the group`() throws {
        let world = try world()
        _ = try world.ask("alice", "sos.trigger")
        let delivery = try #require(world.handedOver().first)
        try world.report(delivery, .failed(.timeout, after: nil))
        #expect(try world.outcome("bob", "group.leave", #"{"group":"$family"}"#) == "ok")
        try world.pass(.seconds(10))
        #expect(world.handedOver().isEmpty)
        #expect(try world.count("deliveries") == 0)
    }

    @Test func `Deliveries about a deleted account are not sent`() throws {
        let world = try world()
        _ = try world.ask("alice", "sos.trigger")
        let delivery = try #require(world.handedOver().first)
        try world.report(delivery, .failed(.timeout, after: nil))
        _ = try world.ask("alice", "sos.stop")
        _ = world.handedOver()
        try world.operate(.removeUser("alice"))
        try world.pass(.seconds(60))
        #expect(world.handedOver().isEmpty)
        #expect(try world.count("deliveries") == 0)
    }

    @Test func `A user chooses which news to get, but an SOS is always sent`() throws {
        let world = try world(#"["journeys"]"#)
        _ = try world.ask("carol", "friend.add", #"{"user":"bob"}"#)
        #expect(world.handedOver().isEmpty)
        _ = try world.ask("alice", "sharing.start", #"{"groups":"all"}"#)
        _ = try world.ask("alice", "sos.trigger")
        _ = try world.ask("alice", "sos.stop")
        let first = world.handedOver()
        for delivery in first { try world.report(delivery, .delivered) }
        let kinds = (first + world.handedOver()).map(\.message.kind)
        #expect(kinds == ["sos", "sos-stopped"])
    }

    @Test func `Only the newest of a waiting call, its end and the next call is sent`() throws {
        let world = try world()
        for method in ["sos.trigger", "sos.stop", "sos.trigger"] {
            _ = try world.ask("alice", method)
            world.sleep(.seconds(1))
            for delivery in world.handedOver() {
                try world.report(delivery, .failed(.timeout, after: .seconds(3)))
            }
        }
        try world.pass(.seconds(5))
        #expect(world.handedOver().map(\.message.kind) == ["sos"])
    }

    @Test func `A channel unused for a week is checked unless it is an address`() throws {
        let world = try world()
        _ = try world.add("bob", ChannelTests.push)
        try world.pass(.seconds(7 * 86_400 - 60))
        try world.sweep()
        #expect(world.handedOver().isEmpty)
        try world.pass(.seconds(120))
        try world.sweep()
        let checks = world.handedOver()
        #expect(checks.map(\.message.kind) == ["check", "check"])
        for check in checks { try world.report(check, .delivered) }
        try world.sweep()
        #expect(world.handedOver().isEmpty)
    }

    @Test func `A channel's queue is bounded, and an SOS keeps its place`() throws {
        let world = try world()
        let bob = try #require(world.engine.memory.person("bob"))
        _ = try world.ask("alice", "sos.trigger")
        let sos = try #require(world.handedOver().first)
        try world.report(sos, .failed(.timeout, after: nil))
        try world.store.transaction { transaction in
            let channel = try transaction.channels(of: bob.id)[0]
            for number in 0..<150 {
                let at = world.now + .milliseconds(Int64(number))
                try transaction.insert(
                    DeliveryRow(
                        channel: channel.id, user: bob.id,
                        message: ChannelMessage(
                            id: "\(number)", kind: "test", title: "", text: "", at: at, view: ""),
                        urgency: .notice, due: at + .seconds(3_600),
                        expiresAt: at + .seconds(86_400)))
            }
            try transaction.keepDeliveries(
                to: channel.id, newest: BridgeSettings.maximumDeliveries)
        }
        #expect(try world.count("deliveries") == BridgeSettings.maximumDeliveries)
        #expect(try world.count("deliveries", where: "kind = 'sos'") == 1)
    }
}
