import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Codes besides the password.
struct SecondFactorTests {
    /// Carol's app: its secret, and her recovery codes.
    private struct App {
        let secret: [UInt8]
        let codes: [String]

        func code(_ world: World, later steps: Int64 = 0) -> String {
            TimeCode.code(secret, step: TimeCode.step(at: world.now) + steps)
        }
    }

    private func world() throws -> World {
        let world = try World()
        try world.register()
        try world.token()
        return world
    }

    private func start(_ world: World, id: String = "") throws -> [UInt8] {
        let reply = try world.ask(
            "carol", "account.totp.start", #"{\#(id)"password":"correct horse"}"#)
        let text = try #require(reply["result"]?["secret"]?.text)
        #expect(reply["result"]?["uri"]?.text?.contains(text) == true)
        return SecondFactorTests.bytes(text)
    }

    /// RFC 4648.
    static func bytes(_ text: String) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = text.flatMap { letter -> [UInt8] in
            let value = alphabet.firstIndex(of: letter) ?? 0
            return (0..<5).map { UInt8(value >> (4 - $0) & 1) }
        }
        return stride(from: 0, to: bits.count - bits.count % 8, by: 8).map { place in
            bits[place..<place + 8].reduce(0) { $0 << 1 | $1 }
        }
    }

    private func turnOn(_ world: World) throws -> App {
        let app = App(secret: try start(world), codes: [])
        let reply = try world.ask(
            "carol", "account.totp.confirm", #"{"code":"\#(app.code(world))"}"#)
        let codes = (reply["result"]?["recoveryCodes"]?.elements ?? []).compactMap(\.text)
        #expect(codes.count == 10)
        // The code is used up.
        try world.pass(.seconds(60))
        return App(secret: app.secret, codes: codes)
    }

    private func logIn(
        _ world: World, _ code: String?, password: String = "correct horse",
        from guest: String = "mosq-1"
    ) throws -> String {
        let field = code.map { #","code":"\#($0)""# } ?? ""
        return try world.askAsGuest(
            "account.login",
            #"{"login":"carol","password":"\#(password)","device":"tablet"\#(field)}"#, from: guest
        ).outcome
    }

    @Test func `The second factor is off until a correct code confirms it`() throws {
        let world = try world()
        let app = App(secret: try start(world), codes: [])
        #expect(try logIn(world, nil) == "ok")
        let wrong = app.code(world) == "000000" ? "000001" : "000000"
        #expect(
            try world.outcome("carol", "account.totp.confirm", #"{"code":"\#(wrong)"}"#)
                == "wrong-credentials")
        #expect(try logIn(world, nil) == "ok")
        #expect(try world.ask("carol", "account.get")["result"]?["secondFactor"] == nil)
    }

    @Test func `The second factor requires a code after the password`() throws {
        let world = try world()
        let app = try turnOn(world)
        #expect(try logIn(world, nil) == "second-factor-required")
        #expect(try logIn(world, nil, password: "wrong horse") == "wrong-credentials")
        #expect(try logIn(world, app.code(world), password: "wrong horse") == "wrong-credentials")
        #expect(try world.tokenHashes().keys.sorted() == ["phone"])
        #expect(try logIn(world, app.code(world)) == "ok")
        try world.restart()
        #expect(try logIn(world, nil) == "second-factor-required")
    }

    @Test func `A code works once, also after a restart`() throws {
        let world = try world()
        let app = try turnOn(world)
        let code = app.code(world)
        #expect(try logIn(world, code) == "ok")
        #expect(try logIn(world, code) == "wrong-credentials")
        #expect(try logIn(world, app.code(world, later: -1)) == "wrong-credentials")
        try world.restart()
        #expect(try logIn(world, code) == "wrong-credentials")
        #expect(try logIn(world, app.code(world, later: 1)) == "ok")
    }

    @Test func `A recovery code works once and is stored only as a hash`() throws {
        let world = try world()
        let app = try turnOn(world)
        let code = try #require(app.codes.first)
        #expect(
            try world.count("recovery_codes", where: "CAST(code_hash AS TEXT) LIKE '%\(code)%'")
                == 0)
        #expect(try logIn(world, code.lowercased()) == "ok")
        #expect(try logIn(world, code) == "wrong-credentials")
        let account = try world.ask("carol", "account.get")["result"]
        #expect(account?["secondFactor"]?["recoveryCodes"] == .number(9))
    }

    @Test func `Replies with a secret are not stored`() throws {
        let world = try world()
        world.confirms = false
        let app = App(secret: try start(world, id: #""id":1,"#), codes: [])
        #expect(
            try world.outcome(
                "carol", "account.totp.confirm", #"{"id":2,"code":"\#(app.code(world))"}"#) == "ok")
        #expect(try world.count("replies", where: "request NOT LIKE 'guest:%'") == 0)
        #expect(try world.count("outbox", where: "topic LIKE '%replies%'") == 0)
    }

    @Test func `Enabling the second factor requires the password, disabling also a code`() throws {
        let world = try world()
        #expect(
            try world.outcome("carol", "account.totp.start", #"{"password":"wrong horse"}"#)
                == "wrong-credentials")
        #expect(
            try world.outcome("carol", "account.totp.confirm", #"{"code":"123456"}"#)
                == "not-allowed")
        let app = try turnOn(world)
        #expect(
            try world.outcome("carol", "account.totp.start", #"{"password":"correct horse"}"#)
                == "not-allowed")
        func stop(_ password: String, _ code: String) throws -> String {
            try world.outcome(
                "carol", "account.totp.stop", #"{"password":"\#(password)","code":"\#(code)"}"#)
        }
        #expect(try stop("wrong horse", app.code(world)) == "wrong-credentials")
        #expect(try stop("correct horse", "AAAA-AAAA-AAAA-AAAA") == "wrong-credentials")
        #expect(try stop("correct horse", app.code(world)) == "ok")
        #expect(try logIn(world, nil) == "ok")
        #expect(try world.count("recovery_codes") == 0)
    }

    @Test func `A secret not confirmed within an hour is void`() throws {
        let world = try world()
        let app = App(secret: try start(world), codes: [])
        world.sleep(.seconds(3600))
        #expect(
            try world.outcome(
                "carol", "account.totp.confirm", #"{"code":"\#(app.code(world))"}"#)
                == "not-allowed")
    }

    // MARK: Guessing

    @Test func `Code guesses from all addresses together are limited`() throws {
        let world = try world()
        let app = try turnOn(world)
        for number in 1...5 {
            let client = try #require(ClientID("bad\(number)"))
            try world.report(.connected(.guest(client, address: "192.0.2.\(number)")))
            #expect(
                try logIn(world, "AAAA-AAAA-AAAA-AAAA", from: "bad\(number)")
                    == "wrong-credentials")
        }
        let client = try #require(ClientID("good"))
        try world.report(.connected(.guest(client, address: "192.0.2.100")))
        #expect(try logIn(world, app.code(world), from: "good") == "too-many-attempts")
        try world.pass(.seconds(1))
        #expect(try logIn(world, app.code(world), from: "good") == "ok")
    }

    @Test func `A wrong code counts as an attempt, and a missing one does not`() throws {
        let world = try world()
        _ = try turnOn(world)
        for _ in 1...10 { #expect(try logIn(world, nil) == "second-factor-required") }
        for _ in 1...5 {
            #expect(try logIn(world, "AAAA-AAAA-AAAA-AAAA") == "wrong-credentials")
        }
        #expect(try logIn(world, nil) == "too-many-attempts")
    }

    // MARK: Ways around it

    @Test func `A link sets a password but does not log in without a code`() throws {
        let world = try world()
        let app = try turnOn(world)
        var random = SystemRandomNumberGenerator()
        let link = AccountLink(.password, using: &random)
        try world.operate(.inviteUser("carol", hash: link.hash))
        let result = try world.askAsGuest(
            "account.recover",
            #"{"token":"\#(link.token)","password":"another horse","device":"tablet"}"#)["result"]
        #expect(result?["user"]?.text == "carol")
        #expect(result?["token"] == nil)
        #expect(try logIn(world, nil, password: "another horse") == "second-factor-required")
        #expect(try logIn(world, app.code(world), password: "another horse") == "ok")
    }

    @Test func `The operator can remove the second factor, and the owner is notified`() throws {
        let world = try world()
        _ = try turnOn(world)
        try world.operate(.removeSecondFactor("carol"))
        #expect(try logIn(world, nil) == "ok")
        #expect(
            try world.noticeKinds(of: "carol") == [
                "second-factor-on", "second-factor-off", "new-login",
            ])
    }
}
