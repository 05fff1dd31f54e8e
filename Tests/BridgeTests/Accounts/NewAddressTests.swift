import Contract
import JSON
import TestSupport
import Testing
import Tracking
import Transfer

@testable import Bridge

/// The mail that a new account gets, which confirms its address.
struct NewAddressTests {
    private func world(sendsMail: Bool = true) throws -> World {
        var settings = BridgeSettings()
        if sendsMail {
            settings.channels.mail = .init(
                by: try MailServer(host: "mail.example.org", port: 465, security: .tls),
                from: "kith@example.org")
            settings.channels.page = "https://kith.example.org"
        }
        return try World(settings)
    }

    private func mails(_ world: World) throws -> [Delivery] {
        try world.pass(.seconds(1))
        return world.handedOver().filter { $0.message.kind == "address" }
    }

    private func confirm(_ world: World, _ mail: Delivery) throws -> String {
        let (view, end) = (mail.message.view, "#/verify/")
        try #require(view.hasPrefix(end), "\(view)")
        let token = view.dropFirst(end.count)
        #expect(!mail.message.text.contains(token))
        return try world.askAsGuest("account.verify", #"{"token":"\#(token)"}"#).outcome
    }

    @Test func `Registration sends a mail, whose link confirms the address`() throws {
        let world = try world()
        try world.register()
        let mail = try #require(try mails(world).first)
        #expect(mail.address == "Carol@example.org" && mail.message.text.contains("carol"))
        try world.report(mail, .delivered)
        #expect(try mails(world).isEmpty)
        #expect(try confirm(world, mail) == "ok")
        #expect(try confirm(world, mail) == "unknown-link")
        try world.token()
        #expect(try world.ask("carol", "account.get")["result"]?["emailVerified"] == .bool(true))
    }

    @Test func `A company must confirm its address before it can request data`() throws {
        let world = try world()
        try world.makeCompany(isConfirmed: false)
        try world.makeService()
        let mail = try #require(try mails(world).first)
        #expect(mail.address == "acme@example.org")
        func ask() throws -> String {
            try world.askAsService("data.request", #"{"user":"ann","reason":"Why not?"}"#).outcome
        }
        #expect(try ask() == "not-allowed")
        #expect(try confirm(world, mail) == "ok")
        #expect(try ask() == "ok")
        // Another address gets a mail of its own.
        let change = #"{"email":"new@example.org","password":"correct horse acme"}"#
        #expect(try world.outcome("acme/desk", "account.update", change) == "ok")
        #expect(try ask() == "not-allowed")
        let other = try #require(try mails(world).first)
        #expect(other.address == "new@example.org")
        #expect(try confirm(world, other) == "ok")
        #expect(try ask() == "ok")
    }

    @Test func `A failed mail is retried with a new link`() throws {
        let world = try world()
        try world.register()
        let mail = try #require(try mails(world).first)
        try world.report(mail, .failed(.unreachable, after: nil))
        try world.restart()
        try world.pass(.seconds(30))
        let again = world.handedOver().filter { $0.message.kind == "address" }
        #expect(again.count == 1)
        #expect(try confirm(world, mail) == "unknown-link")
        #expect(try confirm(world, #require(again.first)) == "ok")
    }

    @Test func `The operator confirms an address where no mail is sent`() throws {
        let world = try world(sendsMail: false)
        try world.register()
        #expect(try mails(world).isEmpty)
        try world.token()
        #expect(try world.ask("carol", "account.get")["result"]?["emailVerified"] == nil)
        _ = try world.operate(.confirmAddress("carol"))
        #expect(try world.ask("carol", "account.get")["result"]?["emailVerified"] == .bool(true))
    }
}
