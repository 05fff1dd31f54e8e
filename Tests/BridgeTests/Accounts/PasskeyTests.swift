import Authenticator
import Contract
import JSON
import TestSupport
import Testing
import Tracking
import WebAuthn

@testable import Bridge

/// Logging in with the signature of a phone or a security key.
struct PasskeyTests {
    @Test func `A passkey logs in as a password does, without a code`() throws {
        let world = try World.withPasskeys()
        var key = try world.makeKey()
        let added = try world.addPasskey(&key, #""label":"My phone","#)["result"]?["passkey"]
        #expect(added?["label"]?.text == "My phone")
        #expect(added?["synced"] == .bool(false))
        #expect(added?["usedAt"] == nil)
        world.sleep(.seconds(5))
        let result = try world.logIn(by: &key)["result"]
        #expect(result?["user"]?.text == "carol")
        #expect(result?["device"]?.text == "tablet")
        let token = try #require(DeviceToken(result?["token"]?.text ?? ""))
        #expect(try world.tokenHashes()["tablet"] == token.hash)
        #expect(try world.passkeys().first?["usedAt"]?.text != nil)
        #expect(
            try world.noticeKinds(of: "carol") == ["passkey-added", "new-login"])
        // It has verified its owner, which is another factor.
        try world.turnOnSecondFactor()
        world.sleep(.seconds(1))
        #expect(try world.logIn(by: &key).outcome == "ok")
    }

    @Test func `A challenge reveals nothing and requires user verification`() throws {
        let world = try World.withPasskeys()
        let options = try world.askAsGuest("account.passkey.challenge", "{}")["result"]?["options"]
        #expect(options?["rpId"]?.text == "kith.example")
        #expect(options?["allowCredentials"] == .array([]))
        #expect(options?["userVerification"]?.text == "required")
        #expect(options?["timeout"] == .number(300_000))
        let again = try world.askAsGuest("account.passkey.challenge", "{}")["result"]?["options"]
        #expect(options?["challenge"]?.text != again?["challenge"]?.text)

        let key = try world.makeKey()
        let creation = try world.ask("carol", "account.passkey.begin")["result"]?["options"]
        #expect(creation?["rp"]?["id"]?.text == "kith.example")
        #expect(creation?["authenticatorSelection"]?["userVerification"]?.text == "required")
        #expect(creation?["authenticatorSelection"]?["residentKey"]?.text == "required")
        #expect(creation?["attestation"]?.text == "none")
        let algorithms = creation?["pubKeyCredParams"]?.elements.compactMap { $0["alg"]?.integer }
        #expect(algorithms == [-7, -8, -257])
        // The same each time, so that an authenticator knows its owner, but not a name.
        #expect(key.userHandle.count == 32)
        let handle = creation?["user"]?["id"]?.text
        #expect(handle == World.text(key.userHandle))
    }

    // MARK: Refused logins

    @Test func `A challenge is valid once, for five minutes, also after a restart`() throws {
        let world = try World.withPasskeys()
        var key = try world.makeKey()
        try world.addPasskey(&key)
        world.sleep(.seconds(1))
        let challenge = try world.passkeyChallenge()
        let signed = try world.signed(challenge, by: &key)
        #expect(try world.logInByPasskey(signed) == "ok")
        #expect(try world.logInByPasskey(signed) == "wrong-credentials")
        // With the next count and a new signature.
        let again = try world.signed(challenge, by: &key)
        #expect(try world.logInByPasskey(again) == "wrong-credentials")
        try world.restart()
        #expect(try world.logInByPasskey(signed) == "wrong-credentials")

        world.sleep(.seconds(1))
        let old = try world.signed(try world.passkeyChallenge(), by: &key)
        world.sleep(Accounts.challengeLifetime)
        #expect(try world.logInByPasskey(old) == "wrong-credentials")
        let late = try world.signed(try world.passkeyChallenge(), by: &key)
        try world.restart()
        world.sleep(Accounts.challengeLifetime - .seconds(1))
        #expect(try world.logInByPasskey(late) == "ok")
    }

    @Test func `A clock set back locks no one out`() throws {
        let world = try World.withPasskeys()
        var key = try world.makeKey()
        try world.addPasskey(&key)
        world.sleep(.seconds(86_400))
        #expect(try world.logIn(by: &key).outcome == "ok")
        world.sleep(.seconds(-86_400))
        #expect(try world.logIn(by: &key).outcome == "ok")
    }

    @Test func `A passkey login that does not match its challenge or owner is rejected`() throws {
        let world = try World.withPasskeys()
        var key = try world.makeKey()
        try world.addPasskey(&key)
        world.sleep(.seconds(1))
        // Another passkey, another person's challenge, an invented challenge.
        var stranger = try Authenticator(
            seed: [UInt8](repeating: 9, count: 32), userHandle: key.userHandle)
        #expect(try world.logIn(by: &stranger).outcome == "wrong-credentials")
        let creation = try world.ask("carol", "account.passkey.begin")["result"]?["options"]
        let made = try World.bytes(creation?["challenge"])
        #expect(try world.logInByPasskey(try world.signed(made, by: &key)) == "wrong-credentials")
        let invented = try world.signed([UInt8](repeating: 1, count: 56), by: &key)
        #expect(try world.logInByPasskey(invented) == "wrong-credentials")
        // The same key with another user's handle, on another page, unverified.
        var named = try Authenticator(
            seed: World.seed, userHandle: [UInt8](repeating: 1, count: 32))
        #expect(try world.logIn(by: &named).outcome == "wrong-credentials")
        let falsePage = try #require(RelyingParty(origin: "https://kith.example.evil.example"))
        let fooled = key.json(got: try key.get(try world.passkeyChallenge(), for: falsePage))
        #expect(try world.logInByPasskey(fooled) == "wrong-credentials")
        world.sleep(.seconds(60))
        var unlocked = key
        unlocked.flags = Authenticator.present
        #expect(try world.logIn(by: &unlocked).outcome == "wrong-credentials")
        world.sleep(.seconds(60))
        #expect(try world.logIn(by: &key).outcome == "ok")
    }

    @Test func `A copy that has signed less often is refused`() throws {
        let world = try World.withPasskeys()
        var key = try world.makeKey()
        key.signCount = 4
        try world.addPasskey(&key)
        var copy = key
        for _ in 1...2 {
            world.sleep(.seconds(1))
            #expect(try world.logIn(by: &key).outcome == "ok")
        }
        world.sleep(.seconds(1))
        #expect(try world.logIn(by: &copy).outcome == "wrong-credentials")
        #expect(try world.logIn(by: &key).outcome == "ok")
    }

    @Test func `Repeated passkey failures are slowed down like passwords`() throws {
        let world = try World.withPasskeys()
        var key = try world.makeKey()
        try world.addPasskey(&key)
        world.sleep(.seconds(1))
        var stranger = try Authenticator(
            seed: [UInt8](repeating: 9, count: 32), userHandle: key.userHandle)
        for _ in 1...5 { #expect(try world.logIn(by: &stranger).outcome == "wrong-credentials") }
        #expect(try world.logIn(by: &stranger).outcome == "too-many-attempts")
        // No one else has to.
        let client = try #require(ClientID("good"))
        try world.report(.connected(.guest(client, address: "192.0.2.7")))
        let signed = try world.signed(try world.passkeyChallenge(), by: &key)
        #expect(try world.logInByPasskey(signed, from: "good") == "ok")
    }

    @Test(arguments: [nil, "http://kith.example", "https://192.0.2.1", "http://127.0.0.1:8080"])
    func `Passkeys are refused with a reason where browsers do not allow them`(_ page: String?)
        throws
    {
        var settings = BridgeSettings()
        settings.channels.page = page
        let world = try World(settings)
        try world.register()
        try world.token()
        let problem = try world.ask("carol", "account.passkey.begin")["problem"]
        #expect(problem?["type"]?.text == "urn:kith:problem:not-allowed")
        #expect(problem?["detail"]?.text?.contains("web.origin") == true)
        #expect(
            try world.askAsGuest("account.passkey.challenge", "{}").outcome == "not-allowed")
        let list = try world.ask("carol", "account.passkey.list")["result"]
        #expect(list?["offered"] == .bool(false))
    }
}
