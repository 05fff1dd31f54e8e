import Contract
import Testing
import Tracking

@testable import Bridge

/// An attacker and the owner at the same time: deliberate failures slow down only the attacker.
struct LockOutTests {
    private func wrong(_ world: World, _ login: String = "carol", from guest: String = "mosq-1")
        throws -> String
    {
        try world.logIn(login, "wrong horse", from: guest).outcome
    }

    /// A guess by a visitor of `kith web`.
    private func guess(
        _ login: String = "carol", _ password: String = "wrong horse", by visitor: String,
        from guest: String = "web", _ world: World
    ) throws -> String {
        try world.askAsGuest(
            "account.login",
            #"{"login":"\#(login)","password":"\#(password)","device":"phone","#
                + #""visitor":"\#(visitor)"}"#, from: guest
        ).outcome
    }

    private func come(_ guest: String, from address: String, _ world: World) throws {
        let client = try #require(ClientID(guest))
        try world.report(.connected(.guest(client, address: address)))
    }

    @Test func `Deliberate failures lock no one else out`() throws {
        let world = try World()
        try world.register()
        try come("bad", from: "192.0.2.1", world)
        try come("good", from: "192.0.2.2", world)
        for _ in 1...40 { _ = try wrong(world, from: "bad") }
        #expect(try wrong(world, from: "bad") == "too-many-attempts")
        #expect(try world.logIn(from: "good").outcome == "ok")
        #expect(try wrong(world, from: "bad") == "too-many-attempts")
    }

    @Test func `Page visitors do not lock each other out`() throws {
        let world = try World()
        try world.register()
        try come("web", from: "127.0.0.1", world)
        for _ in 1...5 { #expect(try guess(by: "bad", world) == "wrong-credentials") }
        #expect(try guess(by: "bad", world) == "too-many-attempts")
        #expect(try guess("carol@example.org", by: "bad", world) == "too-many-attempts")
        #expect(try guess("carol", "correct horse", by: "good", world) == "ok")
        #expect(try guess(by: "bad", world) == "too-many-attempts")
    }

    @Test func `A changing visitor name does not evade the limit of an address`() throws {
        let world = try World()
        try world.register()
        try come("bad", from: "192.0.2.1", world)
        for number in 1...5 { _ = try guess(by: "\(number)", from: "bad", world) }
        #expect(try guess(by: "6", from: "bad", world) == "too-many-attempts")
    }

    @Test func `Distributed guesses are limited, and the owner logs in from home`() throws {
        let world = try World()
        try world.register()
        try come("home", from: "192.0.2.1", world)
        #expect(try world.logIn(from: "home").outcome == "ok")
        var evaluated = 0
        for number in 0..<400 {
            try come("bad\(number)", from: "198.51.\(number / 200).\(number % 200)", world)
            if try wrong(world, from: "bad\(number)") == "wrong-credentials" { evaluated += 1 }
        }
        #expect(evaluated == 100)
        #expect(try world.logIn(from: "home").outcome == "ok")
        // A login from an unknown address waits, at most a minute.
        try come("cafe", from: "203.0.113.1", world)
        #expect(try world.logIn(from: "cafe").outcome == "too-many-attempts")
        try world.pass(.seconds(60))
        #expect(try world.logIn(from: "cafe").outcome == "ok")
        // The owner's success clears no attempts of others.
        #expect(try wrong(world, from: "bad1") == "too-many-attempts")
    }

    @Test func `Strangers do not keep the owner from changing the password`() throws {
        let world = try World()
        try world.register()
        try world.token()
        for _ in 1...200 { _ = try wrong(world) }
        let change = #"{"old":"correct horse","new":"another horse"}"#
        #expect(try world.outcome("carol", "account.password", change) == "ok")
        let delete = #"{"password":"another horse"}"#
        #expect(try world.outcome("carol", "account.delete", delete) == "ok")
    }

    @Test func `A stolen device does not stop another from changing the password`() throws {
        let world = try World()
        try world.register()
        try world.token()
        try world.token(device: "stolen")
        let wrongChange = #"{"old":"wrong horse","new":"another horse"}"#
        for _ in 1...5 {
            #expect(
                try world.outcome("carol/stolen", "account.password", wrongChange)
                    == "wrong-credentials")
        }
        #expect(
            try world.outcome("carol/stolen", "account.password", wrongChange)
                == "too-many-attempts")
        let change = #"{"old":"correct horse","new":"another horse"}"#
        #expect(try world.outcome("carol", "account.password", change) == "ok")
    }
}
