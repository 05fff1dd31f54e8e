import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Links for setting a password.
struct AccountLinkTests {
    /// Has the operator make a link.
    private func link(_ world: World, to user: Name = "carol") throws -> AccountLink {
        var random = SystemRandomNumberGenerator()
        let link = AccountLink(.password, using: &random)
        #expect(try world.operate(.inviteUser(user, hash: link.hash)).first?.outcome == "ok")
        return link
    }

    private func recover(
        _ world: World, _ token: String, _ password: String = "another horse", _ more: String = "",
        from guest: String = "mosq-1"
    ) throws -> JSONValue {
        try world.askAsGuest(
            "account.recover", #"{"token":"\#(token)","password":"\#(password)"\#(more)}"#,
            from: guest)
    }

    @Test func `An operator-created user sets a password with a link and logs in`() throws {
        let world = try World()
        try world.addUsers("carol")
        let reply = try recover(world, link(world).token)
        #expect(reply["result"]?["user"]?.text == "carol")
        #expect(reply["result"]?["ended"] == .number(0))
        #expect(reply["result"]?["token"] == nil)
        #expect(try world.logIn("carol", "another horse").outcome == "ok")
    }

    @Test func `A recovery that names a device logs it in`() throws {
        let world = try World()
        try world.addUsers("carol")
        let result = try recover(world, link(world).token, "another horse", #","device":"pixel""#)
        let token = try #require(DeviceToken(result["result"]?["token"]?.text ?? ""))
        #expect(try world.tokenHashes() == ["pixel": token.hash])
        #expect(result["result"]?["root"]?.text == "kith")
    }

    @Test func `A link works once, expires after 3 days and is stored only as a hash`() throws {
        let world = try World()
        try world.addUsers("carol")
        let first = try link(world)
        #expect(
            try world.count("account_links", where: "CAST(token_hash AS TEXT) = '\(first.token)'")
                == 0)
        #expect(try recover(world, first.token).outcome == "ok")
        #expect(try recover(world, first.token).outcome == "unknown-link")

        let second = try link(world)
        world.sleep(.seconds(3 * 86_400) - .milliseconds(1))
        #expect(try recover(world, second.token).outcome == "ok")
        let third = try link(world)
        world.sleep(.seconds(3 * 86_400))
        #expect(try recover(world, third.token).outcome == "unknown-link")
    }

    @Test func `A new link or a new password invalidates the previous link`() throws {
        let world = try World()
        try world.addUsers("carol")
        let first = try link(world)
        let second = try link(world)
        #expect(try recover(world, first.token).outcome == "unknown-link")
        let hash = try PasswordHash(
            try #require(Password("correct horse")), salt: [UInt8](repeating: 1, count: 16),
            .init(ln: 10, r: 1, p: 1))
        try world.operate(.setPassword(user: "carol", hash))
        #expect(try recover(world, second.token).outcome == "unknown-link")
        #expect(try world.logIn().outcome == "ok")
    }

    @Test func `A new address invalidates all links, which may have gone to the old one`() throws {
        let world = try World()
        try world.register()
        try world.token()
        let link = try link(world)
        #expect(try world.outcome("carol", "account.update", #"{"email":"new@x.org"}"#) == "ok")
        #expect(try recover(world, link.token).outcome == "unknown-link")
    }

    @Test(arguments: [
        "", "x", String(repeating: "A", count: 42), String(repeating: "A", count: 44),
        String(repeating: "A", count: 42) + "B", "' OR 1=1 --",
    ])
    func `A malformed link token is rejected`(_ token: String) throws {
        let world = try World()
        try world.addUsers("carol")
        _ = try link(world)
        #expect(try recover(world, token).outcome == "invalid: token is not a link's last part")
    }

    @Test func `An unknown link, or one made for another purpose, is rejected`() throws {
        let world = try World()
        try world.register()
        #expect(try recover(world, String(repeating: "A", count: 43)).outcome == "unknown-link")
        var random = SystemRandomNumberGenerator()
        let mail = AccountLink(.email, using: &random)
        try world.accept(mail, for: "carol")
        #expect(try recover(world, mail.token).outcome == "unknown-link")
        #expect(try world.logIn().outcome == "ok")
    }

    @Test func `Guessing links slows down only the guesser`() throws {
        let world = try World()
        try world.addUsers("carol")
        let wrong = String(repeating: "A", count: 43)
        for (guest, address) in [("bad", "192.0.2.1"), ("good", "192.0.2.2")] {
            let client = try #require(ClientID(guest))
            try world.report(.connected(.guest(client, address: address)))
        }
        for _ in 1...5 {
            #expect(try recover(world, wrong, from: "bad").outcome == "unknown-link")
        }
        let link = try link(world)
        #expect(try recover(world, link.token, from: "bad").outcome == "too-many-attempts")
        #expect(try recover(world, link.token, from: "good").outcome == "ok")
    }

    @Test func `A link does not relax the password rules`() throws {
        let world = try World()
        try world.addUsers("carol-123")
        let link = try link(world, to: "carol-123")
        #expect(
            try recover(world, link.token, "Carol-123").outcome
                == "invalid: password must not be the user name")
        #expect(
            try recover(world, link.token, "short").outcome
                == "invalid: password must have at least 8 characters")
        #expect(try recover(world, link.token).outcome == "ok")
    }

    @Test func `Only the first of two concurrent uses of a link succeeds`() throws {
        let world = try World()
        try world.addUsers("carol")
        let link = try link(world)
        world.worksOnPasswords = false
        for (guest, password) in [("one", "first horse"), ("two", "second horse")] {
            try world.turn([
                try world.guestMessage(
                    "account.recover",
                    #"{"token":"\#(link.token)","password":"\#(password)"}"#, from: guest)
            ])
        }
        let replies = try world.workOnPasswords().filter { $0.topic.hasPrefix("kith/guests/") }
        #expect(replies.map { JSONValue.read($0.payload).outcome } == ["ok", "unknown-link"])
        world.worksOnPasswords = true
        #expect(try world.logIn("carol", "first horse").outcome == "ok")
    }

    // MARK: Logged-in devices

    @Test func `A link logs out all devices unless they are to stay logged in`() throws {
        let world = try World()
        try world.register()
        for device in ["phone", "watch"] { try world.token(device: device) }
        let stays = try recover(world, link(world).token, "second horse", #","endOthers":false"#)
        #expect(stays["result"]?["ended"] == .number(0))
        #expect(try world.tokenHashes().count == 2)
        let goes = try recover(world, link(world).token)
        #expect(goes["result"]?["ended"] == .number(2))
        #expect(goes["result"]?["kept"] == nil)
        #expect(try world.tokenHashes().isEmpty)
    }

    @Test(arguments: ["sos.trigger", "journey.start"])
    func `A phone that reports an SOS or journey stays logged in`(_ method: String) throws {
        let world = try World()
        try world.register()
        try world.addUsers("bob")
        try world.addGroup("Family", "carol", "bob")
        for device in ["phone", "watch"] { try world.token(device: device) }
        try world.fix("carol", TestFix(0))
        let eta = world.now.milliseconds + 3_600_000
        let journey =
            #"{"groups":"all","destination":{"latitude":46.2,"longitude":14.5},"eta":\#(eta)}"#
        // The watch requests it, but the phone knows where she is.
        #expect(
            try world.outcome(
                "carol/watch", method, method == "sos.trigger" ? "{}" : journey) == "ok")
        let result = try recover(world, link(world).token)["result"]
        #expect(result?["ended"] == .number(1))
        #expect(result?["kept"]?.elements.map(\.text) == ["phone"])
        #expect(try Array(world.tokenHashes().keys) == ["phone"])
    }

    @Test func `The owner is notified of a new password`() throws {
        let world = try World()
        try world.register()
        try world.token()
        _ = try recover(world, link(world).token, "another horse", #","endOthers":false"#)
        #expect(try world.noticeKinds(of: "carol") == ["password-changed"])
        #expect(
            try world.outcome(
                "carol", "account.password", #"{"old":"another horse","new":"third horse"}"#)
                == "ok")
        #expect(try world.noticeKinds(of: "carol") == ["password-changed", "password-changed"])
    }

    @Test func `Deleting an account deletes its link`() throws {
        let world = try World()
        try world.register()
        let link = try link(world)
        try world.operate(.removeUser("carol"))
        #expect(try recover(world, link.token).outcome == "unknown-link")
        let replies = try world.operate(.inviteUser("carol", hash: link.hash))
        #expect(replies.first?.outcome == "unknown-user")
    }
}

extension World {
    /// Stores a link, as its delivery does.
    func accept(_ link: AccountLink, for user: Name) throws {
        let end = now + .seconds(60)
        try store.transaction { transaction in
            guard let row = try transaction.user(user) else { return }
            try transaction.setLink(link.hash, link.purpose, of: row.id, until: end)
        }
    }

    /// The kinds of the user's notices, the oldest first.
    func noticeKinds(of user: Sender) throws -> [String] {
        let list = try ask(user, "notice.list")["result"]?["notices"]?.elements ?? []
        return list.reversed().compactMap { $0["kind"]?.text }
    }
}
