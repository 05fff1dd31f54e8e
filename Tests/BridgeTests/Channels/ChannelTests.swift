import Contract
import JSON
import Store
import Testing
import Tracking
import Transfer

@testable import Bridge

/// Adding, proving, changing and ending channels.
struct ChannelTests {
    @Test func `A webhook works immediately, and its secret is shown once`() throws {
        let world = try World.withChannels()
        let reply = try world.add("bob", ChannelTests.webhook)
        let secret = try #require(reply["result"]?["secret"]?.text)
        #expect(secret.hasPrefix("whsec_"))
        #expect(reply["result"]?["channel"]?["confirmed"] == .bool(true))
        let list = try world.ask("bob", "channel.list")
        #expect(list["result"]?["channels"]?.elements.count == 1)
        #expect(!"\(list)".contains(secret))
        #expect(list["result"]?["channels"]?.elements.first?["label"]?.text == "hook.example.org")
        #expect(try world.ask("alice", "channel.list")["result"]?["channels"]?.elements == [])
    }

    @Test func `An address gets a code, and nothing else until it is confirmed`() throws {
        let world = try World.withChannels()
        let id = try world.addMail("bob", "bob@example.org")
        let first = try #require(world.handedOver().first)
        #expect(first.message.kind == "code")
        try world.report(first, .delivered)
        _ = try world.ask("alice", "sos.trigger")
        #expect(world.handedOver().isEmpty)
        #expect(try world.outcome("bob", "channel.test", #"{"channel":"\#(id)"}"#) == "not-allowed")
        let code = String(first.message.title.suffix(ChannelCommand.codeLength))
        let spaced = "\(code.prefix(4)) \(code.suffix(4))"
        #expect(
            try world.outcome(
                "bob", "channel.confirm", #"{"channel":"\#(id)","code":"\#(spaced)"}"#)
                == "ok")
        #expect(try world.outcome("bob", "channel.test", #"{"channel":"\#(id)"}"#) == "ok")
        #expect(world.handedOver().map(\.message.kind) == ["test"])
    }

    @Test func `The right code fails after five wrong ones or after an hour`() throws {
        let world = try World.withChannels()
        for isLate in [true, false] {
            world.sleep(.seconds(3_700))
            let id = try world.addMail("bob", "bob\(isLate)@example.org")
            let message = try #require(world.handedOver().last?.message)
            let code = String(message.title.suffix(ChannelCommand.codeLength))
            let wrong = code == "00000000" ? "00000001" : "00000000"
            let right = #"{"channel":"\#(id)","code":"\#(code)"}"#
            if isLate {
                world.sleep(.seconds(3_600))
            } else {
                for _ in 0..<5 {
                    let outcome = try world.outcome(
                        "bob", "channel.confirm", #"{"channel":"\#(id)","code":"\#(wrong)"}"#)
                    #expect(outcome == "wrong-code")
                }
                try world.restart()
            }
            #expect(try world.outcome("bob", "channel.confirm", right) == "wrong-code")
        }
    }

    @Test func `Codes to an address are limited over all requesters`() throws {
        let world = try World.withChannels()
        _ = try world.addMail("bob", "dee@example.org")
        #expect(try world.addOutcome("carol", ChannelTests.mail("dee@example.org")) == "too-many")
        world.sleep(.seconds(61))
        _ = try world.addMail("carol", "dee@example.org")
        world.sleep(.seconds(61))
        _ = try world.addMail("alice", "dee@example.org")
        world.sleep(.seconds(61))
        #expect(try world.addOutcome("dave", ChannelTests.mail("dee@example.org")) == "too-many")
    }

    @Test func `Adding and removing an address does not bring more codes to it`() throws {
        let world = try World.withChannels()
        var codes = 0
        for _ in 0..<20 {
            let reply = try world.add("bob", ChannelTests.mail("dee@example.org"))
            if let id = reply["result"]?["channel"]?["channel"]?.text {
                codes += 1
                let removed = try world.outcome(
                    "bob", "channel.remove", #"{"channel":"\#(id)"}"#)
                #expect(removed == "ok")
            }
            world.sleep(.seconds(61))
        }
        #expect(codes == 3)
        world.sleep(.seconds(9 * 3_600))
        _ = try world.addMail("bob", "dee@example.org")
    }

    @Test func `Unconfirmed codes of a user are limited, confirmed ones are not`() throws {
        let world = try World.withChannels()
        for number in 0..<12 {
            let id = try world.addMail("carol", "c\(number)@example.org")
            let message = try #require(world.handedOver().last?.message)
            let code = message.title.suffix(ChannelCommand.codeLength)
            let confirmed = try world.outcome(
                "carol", "channel.confirm", #"{"channel":"\#(id)","code":"\#(code)"}"#)
            #expect(confirmed == "ok")
            _ = try world.outcome("carol", "channel.remove", #"{"channel":"\#(id)"}"#)
            world.sleep(.seconds(61))
        }
        var outcomes: [String] = []
        for number in 0..<12 {
            outcomes.append(
                try world.addOutcome("bob", ChannelTests.mail("b\(number)@example.org")))
            world.sleep(.seconds(1))
        }
        #expect(outcomes.filter { $0 == "ok" }.count == 10)
        // Refused requests use up no address's limit.
        for _ in 0..<5 {
            _ = try world.addOutcome("bob", ChannelTests.mail("carol@example.org"))
        }
        _ = try world.addMail("carol", "carol@example.org")
        #expect(outcomes.suffix(2) == ["too-many", "too-many"])
    }

    @Test func `Another user's channel is unknown`() throws {
        let world = try World.withChannels()
        let reply = try world.add("bob", ChannelTests.webhook)
        let id = try #require(reply["result"]?["channel"]?["channel"]?.text)
        for (method, more) in [
            ("channel.test", ""), ("channel.update", #","label":"Mine""#), ("channel.remove", ""),
            ("channel.confirm", #","code":"12345678""#),
        ] {
            let outcome = try world.outcome("alice", method, #"{"channel":"\#(id)"\#(more)}"#)
            #expect(outcome == "unknown-channel")
        }
        #expect(try world.outcome("bob", "channel.remove", #"{"channel":"\#(id)"}"#) == "ok")
        #expect(try world.count("channels") == 0)
    }

    @Test func `A browser's channel belongs to the logged-in user and ends at logout`() throws {
        let world = try World.withChannels()
        _ = try world.add("bob", ChannelTests.push)
        #expect(try world.count("channels") == 1)
        // The same browser, now used by another user.
        _ = try world.add("carol", ChannelTests.push)
        #expect(try world.count("channels") == 1)
        #expect(try world.ask("bob", "channel.list")["result"]?["channels"]?.elements == [])
        // A user who knows the address, but not the keys, ends nothing.
        let other = ChannelTests.push.replacing("\"auth\":\"A", with: "\"auth\":\"B")
        _ = try world.add("alice", other)
        #expect(try world.count("channels") == 2)
        _ = try world.ask("carol", "account.logout")
        #expect(try world.ask("alice", "channel.list")["result"]?["channels"]?.elements.count == 1)
        #expect(try world.count("channels") == 1)
    }

    @Test(arguments: [
        (#""kind":"webhook","url":"ftp://example.org/""#, "url"),
        (#""kind":"webhook","url":"https://user:secret@example.org/""#, "url"),
        (#""kind":"webhook","url":"https://""#, "url"),
        (#""kind":"mail","address":"nobody""#, "address"),
        (#""kind":"mail","address":"jürgen@example.org""#, "address"),
        (#""kind":"mail","address":"a@example.org\r\nBcc: all@example.org""#, "address"),
        (#""kind":"push","subscription":{"endpoint":"http://push.example.org/"}"#, "subscription"),
        (#""kind":"pigeon""#, "kind"),
    ])
    func `An invalid channel is rejected with its field named`(_ fields: String, _ field: String)
        throws
    {
        let world = try World.withChannels()
        let outcome = try world.addOutcome("bob", fields)
        #expect(outcome.hasPrefix("invalid: \(field)"))
        #expect(!outcome.contains("secret"))
    }

    @Test func `A channel added again stays the same`() throws {
        let world = try World.withChannels()
        let id = try world.addMail("bob", "bob@example.org")
        let code = try #require(world.handedOver().first).message.title.suffix(8)
        _ = try world.ask("bob", "channel.confirm", #"{"channel":"\#(id)","code":"\#(code)"}"#)
        world.sleep(.seconds(100))
        #expect(try world.addMail("bob", "bob@example.org") == id)
        let push = try world.add("bob", ChannelTests.push)["result"]?["channel"]
        #expect(try world.add("bob", ChannelTests.push)["result"]?["channel"] == push)
        // A webhook's secret is shown once: a user who has lost it gets another one.
        let first = try world.add("bob", ChannelTests.webhook)["result"]?["secret"]
        #expect(try world.add("bob", ChannelTests.webhook)["result"]?["secret"] != first)
        #expect(try world.count("channels") == 3)
    }

    @Test func `A group sees the kinds of its members' channels, not their addresses`() throws {
        let world = try World.withChannels()
        _ = try world.add("bob", ChannelTests.webhook)
        _ = try world.addMail("bob", "bob@example.org")
        func reached() throws -> JSONValue? {
            let request = #"{"group":"$family","reached":true}"#
            return try world.ask("alice", "members.get", request)["result"]?["members"]?
                .elements.first { $0["user"]?.text == "bob" }?["reached"]
        }
        // The address is not confirmed.
        #expect(try reached() == .read(Array(#"[{"by":"webhook"}]"#.utf8)))
        _ = try world.ask("alice", "sos.trigger")
        let sos = try #require(world.handedOver().first { $0.kind == .webhook })
        world.sleep(.seconds(1_000))
        try world.report(sos, .delivered)
        // Morning is at ten.
        let worked = #"[{"by":"webhook","workedAt":"2026-05-01T10:00:00.000Z"}]"#
        #expect(try reached() == .read(Array(worked.utf8)))
        try world.report(sos, .failed(.timeout, after: nil))
        #expect(try reached()?.elements.first?["failing"] == .bool(true))
    }

    @Test func `A user has at most 16 channels`() throws {
        let world = try World.withChannels()
        for number in 0..<BridgeSettings.maximumChannels {
            let url = #""kind":"webhook","url":"https://hook.example.org/\#(number)""#
            #expect(try world.addOutcome("bob", url) == "ok")
        }
        #expect(
            try world.addOutcome("bob", #""kind":"webhook","url":"https://one.more/""#)
                == "too-many")
        // The same channel again is not another one.
        #expect(
            try world.addOutcome("bob", #""kind":"webhook","url":"https://hook.example.org/3""#)
                == "ok")
    }

    @Test func `No address can be added without a mail server`() throws {
        let world = try World.withNeighbours()
        #expect(try world.addOutcome("bob", ChannelTests.mail("bob@example.org")) == "not-allowed")
        let offered = try world.ask("bob", "channel.list")["result"]?["offered"]
        #expect(offered?.elements.compactMap(\.text) == ["webhook"])
    }

    @Test(arguments: [
        (nil, nil, false), (nil, "http://kith.example.org", false),
        (nil, "https://kith.example.org", true), ("mailto:me@example.org", nil, true),
    ])
    func `Push is offered only with a contact for the push services`(
        _ contact: String?, _ page: String?, _ isOffered: Bool
    ) throws {
        var settings = BridgeSettings()
        (settings.channels.contact, settings.channels.page) = (contact, page)
        let world = try World.withNeighbours(settings)
        #expect(
            try world.addOutcome("bob", ChannelTests.push) == (isOffered ? "ok" : "not-allowed"))
        let list = try world.ask("bob", "channel.list")["result"]
        #expect(list?["offered"]?.elements.contains { $0.text == "push" } == isOffered)
        let others = list?["notOffered"]?.elements ?? []
        #expect(others.contains { $0["kind"]?.text == "push" } != isOffered)
        #expect(others.allSatisfy { $0["why"]?.text?.hasSuffix(".") == true })
    }

    static let webhook = #""kind":"webhook","url":"https://hook.example.org/kith?key=1""#
    /// The point is RFC 8291's.
    static let push =
        #""kind":"push","subscription":{"endpoint":"https://push.example.org/abc","keys":{"p256dh":"#
        + #""BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","#
        + #""auth":"AABBCCDDEEFFGGHHIIJJKA"}}"#

    static func mail(_ address: String) -> String { #""kind":"mail","address":"\#(address)""# }
}

extension World {
    /// Alice, Bob, Carol and Dave, of whom Alice and Bob are a family; mail can be sent.
    static func withChannels() throws -> World {
        var settings = BridgeSettings()
        settings.channels.mail = .init(
            by: try MailServer(host: "mail.example.org", port: 465, security: .tls),
            from: "kith@example.org")
        settings.channels.contact = "mailto:operator@example.org"
        return try World.withNeighbours(settings)
    }

    func add(_ sender: Sender, _ fields: String) throws -> JSONValue {
        try ask(sender, "channel.add", "{\(fields)}")
    }

    func addOutcome(_ sender: Sender, _ fields: String) throws -> String {
        try add(sender, fields).outcome
    }

    /// - Returns: the channel's id.
    func addMail(_ sender: Sender, _ address: String) throws -> String {
        let reply = try add(sender, ChannelTests.mail(address))
        return try #require(reply["result"]?["channel"]?["channel"]?.text, "\(reply.outcome)")
    }

    /// The deliveries handed over since the last call.
    func handedOver() -> [Delivery] { engine.takeWork(Delivery.self) }
}
