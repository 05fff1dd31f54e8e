import Contract
import Directory
import JSON
import Store
import TestSupport
import Testing
import Tracking
import Transfer

@testable import Bridge

/// The organisation's passwords, and the user's own data.
extension DirectoryLoginTests {
    private func annasWorld(searches: Bool = true) throws -> World {
        let world = try World.withDirectory(searches: searches)
        world.directory?.add("anna", mail: "anna@example.org")
        try world.logIn("anna", university)
        return world
    }

    @Test func `An organisation's password cannot be changed in Kith`() throws {
        let world = try annasWorld()
        for old in [university, "a wrong one"] {
            let change = #"{"old":"\#(old)","new":"another horse"}"#
            let reply = try world.ask("anna", "account.password", change)
            #expect(reply.outcome == "not-allowed")
            #expect(reply["problem"]?["detail"]?.text?.contains("organisation") == true)
        }
        #expect(try hash(world, "anna") == nil)
    }

    @Test func `The operator cannot set a password for a directory account`() throws {
        let world = try annasWorld()
        let set = try world.operate(.setPassword(user: "anna", try newHash()))
        #expect(set.first?.outcome == "not-allowed")
        let invite = try world.operate(
            .inviteUser("anna", hash: [UInt8](repeating: 1, count: 32)))
        #expect(invite.first?.outcome == "not-allowed")
        #expect(try world.logIn("anna", "correct horse").outcome == "wrong-credentials")
        #expect(try hash(world, "anna") == nil)
    }

    /// The organisation's password no longer works, so the operator has to help.
    @Test func `The operator converts directory accounts once the directory is removed`() throws {
        let world = try annasWorld()
        try world.restartWithoutDirectory()
        #expect(try world.logIn("anna", university).outcome == "wrong-credentials")
        #expect(try world.outcome("anna", "account.get") == "ok")
        let delete = #"{"password":"\#(university)"}"#
        #expect(try world.outcome("anna", "account.delete", delete) == "not-allowed")
        #expect(try world.operate(.setPassword(user: "anna", try newHash())).first?.outcome == "ok")
        #expect(user(try world.logIn("anna", "correct horse")) == "anna")
        #expect(try world.directoryAccount("anna") == nil)
    }

    private func newHash() throws -> PasswordHash {
        try PasswordHash(
            try #require(Password("correct horse")), salt: [UInt8](repeating: 1, count: 16),
            PasswordHash.Cost(ln: 10, r: 1, p: 1))
    }

    @Test func `A directory account gets no mail for a forgotten password`() throws {
        let server = try MailServer(host: "mail.example.org", port: 465, security: .tls)
        let world = try World.withDirectory { settings in
            settings.channels.mail = .init(by: server, from: "kith@example.org")
            settings.channels.page = "https://kith.example.org"
        }
        world.directory?.add("anna", mail: "anna@example.org")
        try world.logIn("anna", university)
        try world.register()
        try verify(world, "anna")
        try verify(world, "carol")
        world.sleep(.seconds(8 * 86_400))
        for login in ["anna", "carol"] {
            let reply = try world.askAsGuest("account.forgot", #"{"login":"\#(login)"}"#)
            #expect(reply["result"] == .object([]))
        }
        try world.pass(.seconds(20))
        let mails = world.handedOver().filter { $0.message.kind == "password" }
        #expect(mails.map(\.user) == ["carol"])
    }

    private func verify(_ world: World, _ user: Name) throws {
        try world.store.transaction { transaction in
            guard let row = try transaction.user(user) else { return }
            try transaction.setEmailVerified(at: world.now, of: row.id)
        }
    }

    /// For example, a link from before the account became the directory's.
    @Test func `A link sets no password for a directory account`() throws {
        let world = try annasWorld()
        var random = SystemRandomNumberGenerator()
        let link = AccountLink(.password, using: &random)
        let anna = try #require(try world.store.transaction { try $0.user("anna") })
        try world.store.transaction { transaction in
            try transaction.setLink(
                link.hash, .password, of: anna.id, until: world.now + .seconds(60))
        }
        let recovery = #"{"token":"\#(link.token)","password":"another horse"}"#
        #expect(try world.askAsGuest("account.recover", recovery).outcome == "not-allowed")
        #expect(try hash(world, "anna") == nil)
    }

    @Test(arguments: [true, false])
    func `Deleting a directory account requires the organisation's password`(_ searches: Bool)
        throws
    {
        let world = try annasWorld(searches: searches)
        func delete(_ password: String) throws -> JSONValue {
            try world.ask("anna", "account.delete", #"{"password":"\#(password)"}"#)
        }
        #expect(try delete("a wrong one").outcome == "wrong-credentials")
        world.directory?.trouble = .unreachable
        #expect(try delete(university).outcome == "directory-unreachable")
        world.directory?.trouble = nil
        #expect(try delete(university)["result"]?["deleted"]?["account"]?.integer == 1)
        // The name is not reused, so the next account has another one.
        #expect(user(try world.logIn("anna", university)) == "anna-2")
        #expect(user(try world.logIn("anna", university, device: "tablet")) == "anna-2")
    }

    @Test func `Another person's password confirms nothing`() throws {
        let world = try annasWorld(searches: false)
        // The name belongs to another person by now.
        world.directory?.remove("anna")
        world.directory?.add("anna", university, id: "other")
        #expect(
            try world.outcome("anna", "account.delete", #"{"password":"\#(university)"}"#)
                == "wrong-credentials")
    }

    @Test func `Changing a verified address requires the organisation's password`() throws {
        let world = try annasWorld()
        try verify(world, "anna")
        func update(_ password: String) throws -> String {
            try world.outcome(
                "anna", "account.update", #"{"email":"new@example.org","password":"\#(password)"}"#)
        }
        #expect(
            try world.outcome("anna", "account.update", #"{"email":"new@example.org"}"#).hasPrefix(
                "invalid"))
        #expect(try update("a wrong one") == "wrong-credentials")
        #expect(try update(university) == "ok")
        // A changed address is kept.
        try world.logIn("anna", university)
        #expect(try account(world, "anna")["email"]?.text == "new@example.org")
    }

    @Test func `A directory account can have a second factor of its own`() throws {
        let world = try annasWorld()
        let started = try world.ask("anna", "account.totp.start", #"{"password":"\#(university)"}"#)
        let secret = SecondFactorTests.bytes(try #require(started["result"]?["secret"]?.text))
        func code() -> String { TimeCode.code(secret, step: TimeCode.step(at: world.now)) }
        #expect(
            try world.outcome("anna", "account.totp.confirm", #"{"code":"\#(code())"}"#) == "ok")
        #expect(try world.logIn("anna", university).outcome == "second-factor-required")
        world.sleep(.seconds(60))
        let login =
            #"{"login":"anna","password":"\#(university)","device":"phone","code":"\#(code())"}"#
        #expect(user(try world.askAsGuest("account.login", login)) == "anna")
        world.sleep(.seconds(60))
        let stop = #"{"password":"a wrong one","code":"\#(code())"}"#
        #expect(try world.outcome("anna", "account.totp.stop", stop) == "wrong-credentials")
    }

    @Test func `A repeated request queries the directory once`() throws {
        let world = try annasWorld()
        let directory = world.directory
        world.directory = nil
        let message = world.requestMessage(
            "anna", "account.delete", #"{"id":1,"password":"\#(university)"}"#)
        #expect(try world.turn([message]).isEmpty)
        #expect(try world.turn([message]).isEmpty)
        world.directory = directory
        try world.askDirectory()
        #expect(directory?.asked == ["anna", "anna"])
    }
}
