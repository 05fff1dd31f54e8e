import Authenticator
import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Adding and removing passkeys.
struct PasskeyKeepingTests {
    @Test func `Adding or removing a passkey requires the password`() throws {
        let world = try World.withPasskeys()
        var key = try world.makeKey()
        #expect(try world.addPasskey(&key, password: "wrong horse").outcome == "wrong-credentials")
        #expect(try world.passkeys().isEmpty)
        #expect(try world.addPasskey(&key).outcome == "ok")
        let id = try #require(try world.passkeys().first?["passkey"]?.text)
        #expect(try world.removePasskey(id, password: "wrong horse") == "wrong-credentials")
        world.sleep(.seconds(1))
        #expect(try world.logIn(by: &key).outcome == "ok")
        world.sleep(.seconds(1))
        #expect(try world.removePasskey(id) == "ok")
        #expect(try world.removePasskey(id) == "unknown-passkey")
        world.sleep(.seconds(1))
        #expect(try world.logIn(by: &key).outcome == "wrong-credentials")
        #expect(
            try world.noticeKinds(of: "carol") == [
                "passkey-added", "new-login", "passkey-removed",
            ])
    }

    /// Otherwise a person with the password and the owner's phone would never need a code again.
    @Test func `Adding a passkey requires a code when the second factor is on`() throws {
        let world = try World.withPasskeys()
        let codes = try world.turnOnSecondFactor()
        var key = try world.makeKey()
        #expect(try world.addPasskey(&key).outcome == "second-factor-required")
        #expect(
            try world.addPasskey(&key, #""code":"AAAA-AAAA-AAAA-AAAA","#).outcome
                == "wrong-credentials")
        #expect(try world.passkeys().isEmpty)
        #expect(try world.addPasskey(&key, #""code":"\#(codes[0])","#).outcome == "ok")
    }

    @Test func `A new passkey must answer a recent challenge of its user, once`() throws {
        let world = try World.withPasskeys()
        var key = try world.makeKey()
        let credential = try world.created(by: &key)
        world.sleep(Accounts.challengeLifetime)
        #expect(try world.addPasskey(credential).outcome == World.notAsked)
        let fresh = try world.created(by: &key)
        #expect(try world.addPasskey(fresh).outcome == "ok")
        let id = try #require(try world.passkeys().first?["passkey"]?.text)
        #expect(try world.addPasskey(fresh).outcome == "invalid: credential is already added")
        #expect(try world.removePasskey(id) == "ok")
        // A repeated message does not restore it.
        #expect(try world.addPasskey(fresh).outcome == World.notAsked)
        #expect(try world.passkeys().isEmpty)

        world.sleep(.seconds(1))
        try world.addUsers("alice")
        let foreign = try world.ask("alice", "account.passkey.begin")["result"]?["options"]
        let answer = key.create(try World.bytes(foreign?["challenge"]), for: World.party)
        #expect(try world.addPasskey(key.json(created: answer)).outcome == World.notAsked)
        let login = key.create(try world.passkeyChallenge(), for: World.party)
        #expect(try world.addPasskey(key.json(created: login)).outcome == World.notAsked)
    }

    @Test func `A passkey that does not verify its owner is rejected`() throws {
        let world = try World.withPasskeys()
        var key = try world.makeKey()
        key.flags = Authenticator.present
        #expect(
            try world.addPasskey(&key).outcome == "invalid: credential does not match the request")
    }

    @Test func `Passkeys are limited, and existing ones are excluded from creation`() throws {
        let world = try World.withPasskeys()
        for number in 1...BridgeSettings.maximumPasskeys {
            var key = try world.makeKey(UInt8(number))
            #expect(try world.addPasskey(&key).outcome == "ok")
            world.sleep(.seconds(1))
            guard number == 1 else { continue }
            let options = try world.ask("carol", "account.passkey.begin")["result"]?["options"]
            let excluded = options?["excludeCredentials"]?.elements.compactMap { $0["id"]?.text }
            #expect(excluded == [World.text(key.id)])
        }
        #expect(try world.outcome("carol", "account.passkey.begin") == "too-many")
    }

    // MARK: Removal

    private func recover(_ world: World, _ fields: String = "") throws -> JSONValue? {
        var random = SystemRandomNumberGenerator()
        let link = AccountLink(.password, using: &random)
        try world.operate(.inviteUser("carol", hash: link.hash))
        return try world.askAsGuest(
            "account.recover",
            #"{"token":"\#(link.token)","password":"another horse"\#(fields)}"#)["result"]
    }

    @Test func `Setting a password by a link removes all passkeys`() throws {
        let world = try World.withPasskeys()
        var key = try world.makeKey()
        try world.addPasskey(&key)
        #expect(try recover(world)?["passkeys"] == .number(1))
        world.sleep(.seconds(1))
        #expect(try world.logIn(by: &key).outcome == "wrong-credentials")
        #expect(try world.count("passkeys") == 0)
    }

    @Test func `Keeping other devices logged in keeps the passkeys`() throws {
        let world = try World.withPasskeys()
        var key = try world.makeKey()
        try world.addPasskey(&key)
        #expect(try recover(world, #","endOthers":false"#)?["passkeys"] == nil)
        world.sleep(.seconds(1))
        #expect(try world.logIn(by: &key).outcome == "ok")
        let change = #"{"old":"another horse","new":"third horse""#
        #expect(try world.outcome("carol", "account.password", change + "}") == "ok")
        world.sleep(.seconds(1))
        #expect(try world.logIn(by: &key).outcome == "ok")
        let ending = #"{"old":"third horse","new":"fourth horse","endOthers":true}"#
        let result = try world.ask("carol", "account.password", ending)["result"]
        #expect(result?["passkeys"] == .number(1))
        world.sleep(.seconds(1))
        #expect(try world.logIn(by: &key).outcome == "wrong-credentials")
    }

    @Test func `Deleting an account deletes its passkeys`() throws {
        let world = try World.withPasskeys()
        var key = try world.makeKey()
        try world.addPasskey(&key)
        #expect(
            try world.outcome("carol", "account.delete", #"{"password":"correct horse"}"#) == "ok")
        #expect(try world.count("passkeys") + world.count("passkey_handles") == 0)
        world.sleep(.seconds(1))
        #expect(try world.logIn(by: &key).outcome == "wrong-credentials")
    }

    @Test func `Replies with a challenge are not stored`() throws {
        let world = try World.withPasskeys()
        world.confirms = false
        #expect(try world.outcome("carol", "account.passkey.begin", #"{"id":1}"#) == "ok")
        #expect(try world.count("replies", where: "request NOT LIKE 'guest:%'") == 0)
    }
}
