import Contract
import JSON
import Store
import TestSupport
import Testing
import Tracking
import Transfer

@testable import Bridge

/// Invitations to an address reach its reader, whether or not there is an account.
struct InvitationMailTests {
    private static let eve = #"{"group":"$family","email":"eve@example.org"}"#

    private func world(sendsMail: Bool = true) throws -> World {
        var settings = BridgeSettings()
        settings.channels.page = "https://kith.example.org"
        if sendsMail {
            settings.channels.mail = .init(
                by: try MailServer(host: "mail.example.org", port: 465, security: .tls),
                from: "kith@example.org")
        }
        return try World.withNeighbours(settings)
    }

    private func mails(_ world: World) throws -> [Delivery] {
        try world.pass(.seconds(1))
        return world.handedOver().filter { $0.message.kind == "invitation" }
    }

    private func finish(_ mail: Delivery, _ result: DeliveryOutcome.Result, in world: World) throws
    {
        try world.turn(outcomes: [DeliveryOutcome(of: mail, result)])
    }

    private func token(_ mail: Delivery) throws -> String {
        try #require(mail.message.view.split(separator: "/").last.map { String($0) })
    }

    @Test func `An invitation to an unknown address is mailed as a link that works once`() throws {
        let world = try world()
        let answer = try world.ask("alice", "group.invite", Self.eve)
        #expect(answer["result"]?["token"] == nil)
        let mail = try #require(try mails(world).first)
        #expect(mail.address == "eve@example.org" && mail.message.view.hasPrefix("#/invitation/"))
        #expect(mail.message.text.contains("Alice"))
        try finish(mail, .delivered, in: world)
        #expect(try mails(world).isEmpty)
        let token = try token(mail)
        #expect(try world.accept("dave", token) == "ok")
        #expect(world.members().contains("dave"))
        #expect(try world.accept("carol", token) == "It has been used. Ask for a new one.")
    }

    @Test func `An invitation mail that times out is sent again later, even after a restart`()
        throws
    {
        let world = try world()
        _ = try world.ask("alice", "group.invite", Self.eve)
        let first = try #require(try mails(world).first)
        try finish(first, .failed(.timeout, after: nil), in: world)
        #expect(try mails(world).isEmpty)
        try world.pass(.seconds(10))
        let second = try #require(try mails(world).first)
        #expect(try token(first) != token(second))
        try world.restart()
        let third = try #require(try mails(world).first)
        try finish(third, .failed(.gone, after: nil), in: world)
        try world.restart()
        #expect(try mails(world).isEmpty)
    }

    @Test func `Invitation mails to one address are limited without the inviter noticing`() throws {
        let world = try world()
        try world.addGroup("Club", "alice")
        for group in ["family", "club"] {
            for _ in 1...4 {
                let invite = #"{"group":"$\#(group)","email":"eve@example.org"}"#
                #expect(try world.outcome("alice", "group.invite", invite) == "ok")
                for mail in try mails(world) { try finish(mail, .delivered, in: world) }
            }
        }
        #expect(world.engine.counters.values["invitation-mails"] == 3)
        #expect((world.engine.counters.values["invitation-mails-refused"] ?? 0) > 0)
    }

    @Test(arguments: [true, false])
    func `An unmailed invitation reaches the account whose address is confirmed later`(
        byOperator isOperator: Bool
    ) throws {
        var settings = BridgeSettings()
        settings.channels.page = "https://kith.example.org"
        let world = try World(settings)
        try world.addUsers("alice", "bob")
        try world.addGroup("Family", "alice", "bob")
        try world.register()
        try world.token()
        let invite = #"{"group":"$family","email":"Carol@example.org"}"#
        #expect(try world.outcome("alice", "group.invite", invite) == "ok")
        #expect(try world.invitations(for: "carol") == [])
        if isOperator {
            try world.operate(.confirmAddress("carol"))
        } else {
            var random = SystemRandomNumberGenerator()
            let link = AccountLink(.email, using: &random)
            try world.accept(link, for: "carol")
            let payload = #"{"token":"\#(link.token)"}"#
            #expect(try world.askAsGuest("account.verify", payload).outcome == "ok")
        }
        #expect(try world.invitations(for: "carol") == ["alice to Family"])
    }

    @Test func `The sixth invitation of a day to a name is refused, whether or not it exists`()
        throws
    {
        let world = try world()
        for (user, prefix) in [("dave", "one"), ("nobody-there", "two")] {
            for number in 1...6 {
                try world.addGroup("\(prefix)\(number)", "alice")
                let invite = #"{"group":"$\#(prefix)\#(number)","user":"\#(user)"}"#
                let expected = number <= Invitations.toldPerDay ? "ok" : "too-many"
                #expect(try world.outcome("alice", "group.invite", invite) == expected, "\(user)")
            }
        }
        world.sleep(.seconds(86_401))
        #expect(
            try world.outcome("alice", "group.invite", #"{"group":"$family","user":"dave"}"#)
                == "ok")
    }
}
