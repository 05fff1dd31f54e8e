import Contract
import JSON
import Store
import TestSupport
import Testing
import Tracking
import Transfer

@testable import Bridge

/// Links by mail for people who have forgotten their password.
struct ForgottenPasswordTests {
    /// Carol has an account whose address has been verified for so long; nil: it is not verified.
    private func world(verifiedFor time: Duration? = .seconds(7 * 86_400)) throws -> World {
        var settings = BridgeSettings()
        settings.channels.mail = .init(
            by: try MailServer(host: "mail.example.org", port: 465, security: .tls),
            from: "kith@example.org")
        settings.channels.page = "https://kith.example.org"
        let world = try World(settings)
        try world.register()
        try world.token()
        guard let time else { return world }
        var random = SystemRandomNumberGenerator()
        let link = AccountLink(.email, using: &random)
        try world.accept(link, for: "carol")
        #expect(
            try world.askAsGuest("account.verify", #"{"token":"\#(link.token)"}"#).outcome == "ok")
        world.sleep(time)
        return world
    }

    private func forgot(_ world: World, _ login: String = "carol", from guest: String = "mosq-1")
        throws -> JSONValue
    {
        try world.askAsGuest("account.forgot", #"{"login":"\#(login)"}"#, from: guest)
    }

    /// The mails handed over since the last call.
    private func mails(_ world: World) throws -> [Delivery] {
        // A request is processed at a random moment within that time.
        try world.pass(.seconds(20))
        return world.handedOver().filter { $0.message.kind == "password" }
    }

    private func token(_ mail: Delivery) throws -> String {
        let (view, end) = (mail.message.view, "#/recover/")
        try #require(view.hasPrefix(end), "\(view)")
        return String(view.dropFirst(end.count))
    }

    private func recover(_ world: World, _ mail: Delivery) throws -> String {
        let payload = #"{"token":"\#(try token(mail))","password":"another horse"}"#
        return try world.askAsGuest("account.recover", payload).outcome
    }

    @Test(arguments: ["carol", "CAROL@Example.ORG"])
    func `A forgotten-password request mails a link and notifies the owner`(_ login: String) throws
    {
        let world = try world()
        let reply = try forgot(world, login)
        #expect(reply["result"] == .object([]))
        let mail = try #require(try mails(world).first)
        #expect(mail.address == "Carol@example.org")
        #expect(mail.kind == .mail && mail.urgency == .awaited)
        #expect(!mail.message.text.contains(try token(mail)))
        #expect(try world.noticeKinds(of: "carol") == ["password-forgotten"])
        try world.report(mail, .delivered)
        #expect(try mails(world).isEmpty)
        #expect(try recover(world, mail) == "ok")
        #expect(try world.tokenHashes().isEmpty)
        #expect(try world.logIn("carol", "another horse").outcome == "ok")
        #expect(try recover(world, mail) == "unknown-link")
    }

    @Test func `Only an address verified for a week gets mail; the reply never differs`() throws {
        for time in [nil, Duration.seconds(7 * 86_400) - .seconds(60)] {
            let world = try world(verifiedFor: time)
            for login in ["carol", "carol@example.org", "nobody", "x@y.org", "Not A Name"] {
                let reply = try forgot(world, login, from: login.filter(\.isLetter))
                #expect(reply["result"] == .object([]))
            }
            #expect(try mails(world).isEmpty)
            #expect(try world.noticeKinds(of: "carol").contains("password-forgotten") == false)
            #expect(try world.count("password_requests", where: "purpose <> 'email'") == 0)
        }
    }

    @Test func `The turn that replies looks up no user`() throws {
        let world = try world()
        // Also while another user's request is processed.
        for (number, login) in ["dora", "carol", "nobody"].enumerated() {
            let guest = "g\(number)"
            try world.turn([
                try world.guestMessage("account.forgot", #"{"login":"\#(login)"}"#, from: guest)
            ])
            #expect(try world.count("password_requests", where: "login = '\(login)'") == 1)
            if login == "carol" {
                #expect(world.handedOver().filter { $0.message.kind == "password" }.isEmpty)
            }
        }
    }

    @Test func `A request is refused without a mail server or an address for links`() throws {
        let world = try World()
        try world.register()
        #expect(try forgot(world).outcome == "not-allowed")
        #expect(try world.count("password_requests") == 0)
    }

    @Test func `The secret is not stored, and the operator's link stays valid`() throws {
        let world = try world()
        var random = SystemRandomNumberGenerator()
        let link = AccountLink(.password, using: &random)
        #expect(try world.operate(.inviteUser("carol", hash: link.hash)).first?.outcome == "ok")
        _ = try forgot(world)
        let mail = try #require(try mails(world).first)
        let secret = try token(mail)
        for (table, column) in [
            ("deliveries", "page_view"), ("password_requests", "login"), ("outbox", "payload"),
            ("account_links", "token_hash"), ("notices", "details"),
        ] {
            #expect(
                try world.count(
                    table, where: TestDatabase.bytes(of: column, include: secret)) == 0)
        }
        let payload = #"{"token":"\#(link.token)","password":"another horse"}"#
        #expect(try world.askAsGuest("account.recover", payload).outcome == "ok")
        // Using either one invalidates the other.
        #expect(try recover(world, mail) == "unknown-link")
    }

    @Test func `A user gets at most three mails a day, and the last link works`() throws {
        let world = try world()
        var all: [Delivery] = []
        for round in 0..<6 {
            #expect(try forgot(world, from: "g\(round)").outcome == "ok")
            for mail in try mails(world) {
                all.append(mail)
                try world.report(mail, .delivered)
            }
            world.sleep(.seconds(600))
        }
        #expect(all.count == Accounts.perDay)
        #expect(try recover(world, all[1]) == "unknown-link")
        #expect(try recover(world, all[2]) == "ok")
        try world.pass(.seconds(86_400))
        _ = try forgot(world)
        #expect(try mails(world).count == 1)
    }

    @Test func `A repeated request while a mail is under way sends no second mail`() throws {
        let world = try world()
        _ = try forgot(world)
        #expect(try mails(world).count == 1)
        _ = try forgot(world)
        #expect(try mails(world).isEmpty)
    }

    @Test func `A failed mail is retried for an hour, each time with a new link`() throws {
        let world = try world()
        _ = try forgot(world)
        let first = try #require(try mails(world).first)
        var last = first
        var count = 0
        var next: Delivery? = first
        while count < 1_000 {
            if let mail = next {
                count += 1
                last = mail
                try world.report(mail, .failed(.unreachable, after: nil))
            }
            try world.pass(.seconds(10))
            next = try mails(world).first
            if try world.count("password_requests", where: "due_at_ms IS NOT NULL") == 0 { break }
        }
        #expect(count > 5 && count < 40)
        #expect(last.message.id != first.message.id)
        #expect(try recover(world, first) == "unknown-link")
        #expect(try recover(world, last) == "ok")
    }

    @Test func `A mail without a reported outcome is sent again`() throws {
        let world = try world()
        _ = try forgot(world)
        let first = try #require(try mails(world).first)
        try world.pass(.seconds(121))
        let again = try #require(try mails(world).first)
        // The first attempt's outcome, late.
        try world.report(first, .delivered)
        #expect(try world.count("password_requests", where: "due_at_ms IS NOT NULL") == 1)
        try world.report(again, .delivered)
        #expect(try world.count("password_requests", where: "due_at_ms IS NOT NULL") == 0)
    }

    @Test func `Frequent requests for any account slow down only their sender`() throws {
        let world = try world()
        for (guest, address) in [("bad", "192.0.2.1"), ("good", "192.0.2.2")] {
            let client = try #require(ClientID(guest))
            try world.report(.connected(.guest(client, address: address)))
        }
        let logins = ["carol", "a", "b", "c@x.org", "carol"]
        for login in logins { #expect(try forgot(world, login, from: "bad").outcome == "ok") }
        #expect(try forgot(world, "nobody", from: "bad").outcome == "too-many-attempts")
        #expect(try forgot(world, "carol", from: "bad").outcome == "too-many-attempts")
        #expect(try forgot(world, "carol", from: "good").outcome == "ok")
        // It does not count as a password attempt.
        let login = #"{"login":"carol","password":"correct horse","device":"pixel"}"#
        #expect(try world.askAsGuest("account.login", login, from: "bad").outcome == "ok")
    }

    @Test func `A new address invalidates the link and gets none until it is verified`() throws {
        let world = try world()
        _ = try forgot(world)
        let mail = try #require(try mails(world).first)
        let change = #"{"email":"new@x.org","password":"correct horse"}"#
        #expect(try world.outcome("carol", "account.update", change) == "ok")
        #expect(try recover(world, mail) == "unknown-link")
        try world.report(mail, .delivered)
        _ = try forgot(world, from: "other")
        #expect(try mails(world).isEmpty)
    }

    @Test func `The link does not bypass the second factor`() throws {
        let world = try world()
        let start = try world.ask(
            "carol", "account.totp.start", #"{"password":"correct horse"}"#)
        let text = try #require(start["result"]?["secret"]?.text)
        let secret = SecondFactorTests.bytes(text)
        func code() -> String { TimeCode.code(secret, step: TimeCode.step(at: world.now)) }
        #expect(
            try world.outcome("carol", "account.totp.confirm", #"{"code":"\#(code())"}"#) == "ok")
        _ = try forgot(world)
        let mail = try #require(try mails(world).first)
        let recovery = #""token":"\#(try token(mail))","password":"another horse","device":"pixel""#
        let reply = try world.askAsGuest("account.recover", "{\(recovery)}")
        #expect(reply.outcome == "ok")
        #expect(reply["result"]?["token"] == nil)
        #expect(try world.logIn("carol", "another horse").outcome == "second-factor-required")
        try world.pass(.seconds(60))
        let login =
            #"{"login":"carol","password":"another horse","device":"pixel","code":"\#(code())"}"#
        #expect(try world.askAsGuest("account.login", login).outcome == "ok")
    }

    @Test func `Erasing a user deletes their requests and sends no more mail`() throws {
        let world = try world()
        _ = try forgot(world)
        let mail = try #require(try mails(world).first)
        try world.operate(.removeUser("carol"))
        #expect(try world.count("password_requests") == 0)
        try world.report(mail, .failed(.unreachable, after: nil))
        try world.pass(.seconds(300))
        #expect(try mails(world).isEmpty)
        #expect(try recover(world, mail) == "unknown-link")
    }
}
