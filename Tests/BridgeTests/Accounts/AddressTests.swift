import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Verified addresses, and what follows from verification.
struct AddressTests {
    @Test func `A link verifies an address until the address changes`() throws {
        let world = try World()
        try world.register()
        try world.token()
        #expect(try world.ask("carol", "account.get")["result"]?["emailVerified"] == nil)
        var random = SystemRandomNumberGenerator()
        let link = AccountLink(.email, using: &random)
        try world.accept(link, for: "carol")
        #expect(
            try world.askAsGuest("account.verify", #"{"token":"\#(link.token)"}"#).outcome == "ok")
        #expect(
            try world.askAsGuest("account.verify", #"{"token":"\#(link.token)"}"#).outcome
                == "unknown-link")
        #expect(try world.ask("carol", "account.get")["result"]?["emailVerified"] == .bool(true))
        #expect(try world.outcome("carol", "account.update", #"{"firstName":"C"}"#) == "ok")
        #expect(try world.ask("carol", "account.get")["result"]?["emailVerified"] == .bool(true))
        func update(_ more: String) throws -> String {
            try world.outcome("carol", "account.update", #"{"email":"new@x.org"\#(more)}"#)
        }
        #expect(try update("") == "invalid: password is required to change a verified address")
        #expect(try update(#","password":"wrong horse""#) == "wrong-credentials")
        #expect(try world.ask("carol", "account.get")["result"]?["emailVerified"] == .bool(true))
        #expect(try update(#","password":"correct horse""#) == "ok")
        let account = try world.ask("carol", "account.get")["result"]
        #expect(account?["email"]?.text == "new@x.org")
        #expect(account?["emailVerified"] == nil)
        #expect(try world.noticeKinds(of: "carol") == ["email-changed"])
    }

    @Test func `Only one of two concurrent claims to an address succeeds`() throws {
        let world = try World()
        try world.register()
        try world.token()
        try world.addUsers("alice")
        var random = SystemRandomNumberGenerator()
        let link = AccountLink(.email, using: &random)
        try world.accept(link, for: "carol")
        try world.askAsGuest("account.verify", #"{"token":"\#(link.token)"}"#)
        world.worksOnPasswords = false
        let payload = #"{"email":"new@x.org","password":"correct horse"}"#
        try world.turn([world.requestMessage("carol", "account.update", payload)])
        #expect(try world.outcome("alice", "account.update", #"{"email":"new@x.org"}"#) == "ok")
        let replies = try world.workOnPasswords().filter { $0.topic.hasSuffix("/replies") }
        #expect(replies.map { JSONValue.read($0.payload).outcome } == ["invalid: email is taken"])
    }

    @Test func `Confirming the account's address as a channel verifies it`() throws {
        let world = try World.withChannels()
        func isVerified() throws -> Bool {
            try world.ask("bob", "account.get")["result"]?["emailVerified"] == .bool(true)
        }
        #expect(try world.outcome("bob", "account.update", #"{"email":"bob@x.org"}"#) == "ok")
        for (address, isOwn) in [("other@x.org", false), ("BOB@x.org", true)] {
            let id = try world.addMail("bob", address)
            let message = try #require(
                world.handedOver().last { $0.message.kind == "code" }?.message)
            let code = message.title.suffix(ChannelCommand.codeLength)
            #expect(try !isVerified())
            let payload = #"{"channel":"\#(id)","code":"\#(code)"}"#
            #expect(try world.outcome("bob", "channel.confirm", payload) == "ok")
            #expect(try isVerified() == isOwn)
        }
        // Now others can invite him by it.
        let invitation = #"{"group":"$work","email":"bob@x.org"}"#
        #expect(try world.outcome("alice", "group.invite", invitation) == "ok")
        try world.pass(.seconds(5))
        let notices = try world.ask("bob", "notice.list")["result"]?["notices"]?.elements
        let kinds = notices?.compactMap { $0["kind"]?.text } ?? []
        #expect(kinds.count { $0 == "invited-to-group" } == 1)
        #expect(kinds.count { $0 == "channel-added" } == 2)
    }

    @Test func `Re-adding an address that is already a channel verifies it`() throws {
        let world = try World.withChannels()
        func isVerified() throws -> Bool {
            try world.ask("bob", "account.get")["result"]?["emailVerified"] == .bool(true)
        }
        let id = try world.addMail("bob", "bob@x.org")
        let message = try #require(world.handedOver().last { $0.message.kind == "code" }?.message)
        let code = message.title.suffix(ChannelCommand.codeLength)
        let payload = #"{"channel":"\#(id)","code":"\#(code)"}"#
        #expect(try world.outcome("bob", "channel.confirm", payload) == "ok")
        #expect(try world.outcome("bob", "account.update", #"{"email":"bob@x.org"}"#) == "ok")
        #expect(try !isVerified())
        // Another user's channel proves nothing.
        _ = try world.addMail("carol", "bob@x.org")
        #expect(try !isVerified())
        #expect(try world.addMail("bob", "bob@x.org") == id)
        #expect(try isVerified())
    }
}
