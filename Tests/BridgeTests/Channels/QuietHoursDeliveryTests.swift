import Contract
import JSON
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Deliveries that wait for the end of a channel's quiet hours, and those that do not.
struct QuietHoursDeliveryTests {
    /// It is ten in the morning in UTC: noon in Zurich. Bob's webhook is quiet from noon to two.
    private static let noon =
        #"{"from":"12:00","to":"14:00","timeZone":"Europe/Zurich"}"#

    private func world(_ quiet: String = noon) throws -> World {
        let world = try World.withChannels()
        _ = try world.add("bob", ChannelTests.webhook)
        #expect(try world.update(#""quiet":\#(quiet)"#) == "ok")
        return world
    }

    @Test func `A notice waits for the end of the hours and states when it happened`() throws {
        let world = try world()
        world.sleep(.seconds(600))
        _ = try world.ask("carol", "friend.add", #"{"user":"bob"}"#)
        #expect(world.handedOver().isEmpty)
        try world.restart()
        try world.pass(until: .morning + .milliseconds(7_199_999))
        #expect(world.handedOver().isEmpty)
        try world.pass(.milliseconds(1))
        let delivery = try #require(world.handedOver().first)
        #expect(delivery.message.kind == "friend-added")
        #expect(delivery.message.text.hasPrefix("At 12:10: "))
        #expect(delivery.message.at == .morning + .seconds(600))
        try world.report(delivery, .delivered)
        #expect(try world.count("deliveries") == 0)
    }

    @Test func `A call for help, its end and a test ignore quiet hours`() throws {
        let world = try world()
        for method in ["sos.trigger", "sos.stop"] {
            _ = try world.ask("alice", method)
            let delivery = try #require(world.handedOver().first)
            #expect(!delivery.message.text.hasPrefix("At "))
            try world.report(delivery, .delivered)
        }
        let id = try world.channel()["channel"]?.text ?? ""
        #expect(try world.outcome("bob", "channel.test", #"{"channel":"\#(id)"}"#) == "ok")
        #expect(world.handedOver().map(\.message.kind) == ["test"])
    }

    @Test func `Only alerts about a call for help ignore quiet hours`() {
        for kind in Alert.Kind.allCases {
            let message = ChannelMessage(
                id: "a", kind: kind.rawValue, title: "", text: "", at: .morning, view: "")
            let isCall = [.sos, .sosStopped, .sosLeft, .inNeed, .unanswered, .assisted]
                .contains(kind)
            for urgency in [DeliveryRow.Urgency.alert, .notice] {
                let row = DeliveryRow(
                    channel: UUIDv7(at: .morning, random: (1, 2)), user: UserID(rawValue: 1),
                    message: message, urgency: urgency, due: .morning, expiresAt: .morning)
                #expect(row.respectsQuietHours == !isCall)
            }
        }
    }

    @Test(arguments: [
        Notice.News.newLogin(device: "spy"), .loggedOut(device: "phone", .room),
        .loggedOut(device: "phone", .unused), .passwordChanged, .passwordForgotten, .emailChanged,
        .secondFactor(isOn: false), .passkey(label: "Key", isAdded: true),
        .channelLost(label: "Browser"),
    ])
    func `Notices about the account itself ignore quiet hours`(_ news: Notice.News) {
        #expect(!row(of: news.kind.name).respectsQuietHours)
    }

    @Test func `Notices about other users wait for the end of the hours`() {
        for news in [Notice.News.friendAdded, .locationShared] {
            #expect(row(of: news.kind.name).respectsQuietHours)
        }
    }

    private func row(of kind: String) -> DeliveryRow {
        DeliveryRow(
            channel: UUIDv7(at: .morning, random: (1, 2)), user: UserID(rawValue: 1),
            message: ChannelMessage(
                id: "a", kind: kind, title: "", text: "", at: .morning, view: ""),
            urgency: .notice, due: .morning, expiresAt: .morning)
    }

    @Test func `A delivery that failed before the hours is not retried during them`() throws {
        let world = try world(#"{"from":"10:05","to":"10:30","timeZone":"UTC"}"#)
        world.sleep(.seconds(295))
        _ = try world.ask("carol", "friend.add", #"{"user":"bob"}"#)
        let delivery = try #require(world.handedOver().first)
        try world.report(delivery, .failed(.timeout, after: nil))
        try world.pass(until: .morning + .seconds(1_799))
        #expect(world.handedOver().isEmpty)
        try world.pass(.seconds(1))
        #expect(world.handedOver().count == 1)
    }

    @Test func `A large backlog becomes one message that names no one`() throws {
        let world = try world()
        try world.hold(5)
        #expect(try world.morningAfter().count == 5)

        let other = try self.world()
        try other.hold(6)
        let told = try other.morningAfter()
        #expect(told.map(\.title) == ["6 messages during your quiet hours"])
        #expect(told.first?.kind == "held")
        #expect(told.first?.text == "Open Kith to see them all.")
        #expect(try other.count("deliveries") == 0)
    }

    @Test func `Only the newest of the same news about a person is kept`() throws {
        let world = try world()
        let channel = try world.channelRow()
        let alice = try #require(world.engine.memory.person("alice"))
        let family = try world.family()
        try world.store.transaction { transaction in
            for (index, kind) in ["offline", "late", "offline", "offline"].enumerated() {
                let at = world.now + .seconds(Int64(index))
                try transaction.insert(
                    DeliveryRow(
                        channel: channel.id, user: channel.user,
                        message: ChannelMessage(
                            id: "\(index)", kind: kind, title: "", text: "", at: at, view: ""),
                        about: alice.id, group: family, urgency: .alert, due: at,
                        expiresAt: at + .seconds(86_400)))
            }
        }
        try world.restart()
        #expect(Set(try world.morningAfter().map(\.id)) == ["1", "3"])
    }

    @Test func `A member who left during the hours gets neither the news nor a summary`() throws {
        let world = try world()
        let channel = try world.channelRow()
        let family = try world.family()
        try world.hold(5)
        try world.store.transaction { transaction in
            try transaction.insert(
                DeliveryRow(
                    channel: channel.id, user: channel.user,
                    message: ChannelMessage(
                        id: "zz", kind: "moving", title: "", text: "", at: world.now, view: ""),
                    group: family, urgency: .notice, due: world.now,
                    expiresAt: world.now + .seconds(86_400)))
        }
        try world.restart()
        try world.turn()
        #expect(try world.outcome("bob", "group.leave", #"{"group":"$family"}"#) == "ok")
        let kinds = try world.morningAfter().map(\.kind)
        #expect(!kinds.isEmpty && !kinds.contains("moving") && !kinds.contains("held"))
    }

    @Test func `Ending or changing the hours releases waiting deliveries`() throws {
        for (quiet, isTold) in [
            ("null", true), (#"{"from":"10:00","to":"11:00","timeZone":"UTC"}"#, false),
            (#"{"from":"22:00","to":"07:00","timeZone":"UTC"}"#, true),
        ] {
            let world = try world()
            try world.hold(1)
            try world.turn()
            #expect(world.handedOver().isEmpty)
            #expect(try world.update(#""quiet":\#(quiet)"#) == "ok")
            try world.turn()
            let first = world.handedOver()
            #expect(first.count == (isTold ? 1 : 0))
            for delivery in first { try world.report(delivery, .delivered) }
            try world.pass(until: .morning + .seconds(3_600))
            #expect(world.handedOver().count == (isTold ? 0 : 1))
        }
    }

    @Test func `Quiet hours of nearly a whole day lose nothing`() throws {
        let world = try world(#"{"from":"10:00","to":"09:59","timeZone":"UTC"}"#)
        try world.hold(1)
        try world.turn()
        try world.pass(until: .morning + .seconds(86_340))
        let delivery = try #require(world.handedOver().first)
        #expect(delivery.expiresAt >= world.now + .seconds(3_600))
    }

    @Test func `Quiet hours are listed and survive a restart and unrelated changes`() throws {
        let world = try world()
        #expect(try world.channel()["quiet"] == .read(Array(QuietHoursDeliveryTests.noon.utf8)))
        try world.restart()
        #expect(try world.update(#""label":"Home","news":[]"#) == "ok")
        #expect(try world.channel()["quiet"] == .read(Array(QuietHoursDeliveryTests.noon.utf8)))
        #expect(try world.update(#""quiet":null"#) == "ok")
        #expect(try world.channel()["quiet"] == nil)
    }

    @Test func `An unknown time zone is rejected`() throws {
        let world = try world()
        let mars = #""quiet":{"from":"22:00","to":"07:00","timeZone":"Mars/Base"}"#
        let refused = try world.update(mars)
        #expect(refused == "invalid: quiet.timeZone is not a time zone name")
        #expect(try world.channel()["quiet"] == .read(Array(QuietHoursDeliveryTests.noon.utf8)))
    }
}

extension World {
    fileprivate func channel() throws -> JSONValue {
        let list = try ask("bob", "channel.list")
        return try #require(list["result"]?["channels"]?.elements.first)
    }

    fileprivate func channelRow() throws -> ChannelRow {
        let bob = try #require(engine.memory.person("bob"))
        return try store.transaction { try $0.channels(of: bob.id)[0] }
    }

    fileprivate func family() throws -> GroupID {
        try #require(engine.memory.groups.values.first { $0.name == "Family" }?.id)
    }

    fileprivate func update(_ fields: String) throws -> String {
        let id = try channel()["channel"]?.text ?? ""
        return try outcome("bob", "channel.update", #"{"channel":"\#(id)",\#(fields)}"#)
    }

    /// Writes `count` notices for Bob's channel.
    fileprivate func hold(_ count: Int) throws {
        let channel = try channelRow()
        try store.transaction { transaction in
            for number in 0..<count {
                try transaction.insert(
                    DeliveryRow(
                        channel: channel.id, user: channel.user,
                        message: ChannelMessage(
                            id: "notice-\(number)", kind: "friend-added", title: "Kith", text: "",
                            at: now, view: "#people"),
                        urgency: .notice, due: now, expiresAt: now + .seconds(86_400)))
            }
        }
        try restart()
        try turn()
    }

    /// The messages sent when the hours are over, each as soon as there is room.
    fileprivate func morningAfter() throws -> [ChannelMessage] {
        try turn()
        #expect(handedOver().isEmpty)
        try pass(until: .morning + .seconds(7_200))
        var told: [ChannelMessage] = []
        for _ in 0..<20 {
            for delivery in handedOver() {
                told.append(delivery.message)
                try report(delivery, .delivered)
            }
            try pass(.seconds(6))
        }
        return told
    }
}
