import Contract
import JSON
import MQTT
import Testing
import Tracking

@testable import Bridge

/// Guessing is slowed down, whatever its target.
struct AttemptTests {
    private func wrong(_ world: World, _ login: String = "carol", from guest: String = "mosq-1")
        throws -> String
    {
        let reply = try world.logIn(login, "wrong horse", from: guest)
        guard reply.outcome == "too-many-attempts" else { return reply.outcome }
        return reply["problem"]?["detail"]?.text ?? "?"
    }

    private func come(_ guest: String, from address: String, _ world: World) throws {
        let client = try #require(ClientID(guest))
        try world.report(.connected(.guest(client, address: address)))
    }

    @Test(arguments: ["carol", "nobody", "nobody@example.org"])
    func `The wait doubles after five failures, even for unknown users`(_ login: String) throws {
        let world = try World()
        try world.register()
        for _ in 1...5 { #expect(try wrong(world, login) == "wrong-credentials") }
        for seconds in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
            #expect(try wrong(world, login) == "Try again in \(seconds) s.")
            try world.pass(.milliseconds(Int64(seconds) * 1000 - 1))
            #expect(try wrong(world, login) == "Try again in 1 s.")
            try world.pass(.milliseconds(1))
            #expect(try wrong(world, login) == "wrong-credentials")
        }
    }

    @Test func `The correct password is not checked during a wait`() throws {
        let world = try World()
        try world.register()
        for _ in 1...5 { _ = try wrong(world) }
        #expect(try world.logIn().outcome == "too-many-attempts")
        try world.pass(.seconds(1))
        #expect(try world.logIn().outcome == "ok")
    }

    @Test func `A successful login resets the failures`() throws {
        let world = try World()
        try world.register()
        for _ in 1...3 {
            for _ in 1...4 { #expect(try wrong(world) == "wrong-credentials") }
            #expect(try world.logIn().outcome == "ok")
        }
    }

    @Test func `An hour without a failure resets the failures`() throws {
        let world = try World()
        for _ in 1...5 { _ = try wrong(world) }
        try world.pass(.seconds(3600))
        for _ in 1...5 { #expect(try wrong(world) == "wrong-credentials") }
    }

    @Test func `Failures by user name and by address count together`() throws {
        let world = try World()
        try world.register()
        for login in ["carol", "carol@example.org", "CAROL@example.org", "carol"] {
            #expect(try wrong(world, login) == "wrong-credentials")
        }
        #expect(try wrong(world, "Carol@example.org") == "wrong-credentials")
        #expect(try wrong(world) == "Try again in 1 s.")
        #expect(try wrong(world, "dave") == "wrong-credentials")
    }

    @Test func `At most five of many concurrent guesses are checked`() throws {
        let world = try World()
        try world.register()
        world.worksOnPasswords = false
        let guess = try world.guestMessage(
            "account.login", #"{"login":"carol","password":"wrong horse","device":"phone"}"#)
        let refused = try world.turn([Message](repeating: guess, count: 20))
        #expect(refused.count == 15)
        #expect(world.engine.takeWork(PasswordWork.self).count == 5)
    }

    @Test func `At most 20 of 10,000 guesses in an hour are checked`() throws {
        let world = try World()
        try world.register()
        var evaluated = 0
        for _ in 1...10_000 {
            if try wrong(world) == "wrong-credentials" { evaluated += 1 }
            world.sleep(.milliseconds(360))
        }
        #expect((10...20).contains(evaluated))
    }

    // MARK: By address

    @Test func `An address that tries many accounts has to wait`() throws {
        let world = try World()
        try world.register()
        try come("bad", from: "192.0.2.1", world)
        try come("good", from: "192.0.2.2", world)
        for number in 1...5 {
            #expect(try wrong(world, "user\(number)", from: "bad") == "wrong-credentials")
        }
        #expect(try wrong(world, "user6", from: "bad") == "Try again in 1 s.")
        #expect(try wrong(world, "user6", from: "good") == "wrong-credentials")
        #expect(try wrong(world, "user6") == "wrong-credentials")
    }

    @Test func `A new client id or IPv6 address in the same network does not end a wait`() throws {
        let world = try World()
        for number in 1...5 {
            try come("bad\(number)", from: "2001:db8:1:2::\(number)", world)
            #expect(try wrong(world, "user\(number)", from: "bad\(number)") == "wrong-credentials")
        }
        try come("bad6", from: "2001:db8:1:2:ffff::1", world)
        #expect(try wrong(world, "user6", from: "bad6") == "Try again in 1 s.")
        try come("other", from: "2001:db8:1:3::1", world)
        #expect(try wrong(world, "user6", from: "other") == "wrong-credentials")
    }

    @Test(arguments: ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    func `A program on this machine is not limited by address`(_ address: String) throws {
        let world = try World()
        try world.register()
        try come("web", from: address, world)
        for number in 1...10 {
            #expect(try wrong(world, "user\(number)", from: "web") == "wrong-credentials")
            #expect(try register(number, world, from: "web") == "ok")
        }
        // The account is slowed down wherever the guesses come from.
        for _ in 1...5 { #expect(try wrong(world, from: "web") == "wrong-credentials") }
        #expect(try wrong(world, from: "web") == "Try again in 1 s.")
        #expect(try world.logIn("user1", from: "web").outcome == "ok")
    }

    @Test func `A user's own login does not reset their address's failures`() throws {
        let world = try World()
        try world.register()
        try come("bad", from: "192.0.2.1", world)
        for number in 1...4 { _ = try wrong(world, "user\(number)", from: "bad") }
        #expect(try world.logIn(from: "bad").outcome == "ok")
        #expect(try wrong(world, "user5", from: "bad") == "wrong-credentials")
        #expect(try world.logIn(from: "bad").outcome == "too-many-attempts")
    }

    // MARK: Registering

    private func register(_ number: Int, _ world: World, from guest: String = "mosq-1") throws
        -> String
    {
        try world.register(
            ["username": "\"user\(number)\"", "email": "\"user\(number)@example.org\""],
            from: guest)
    }

    @Test func `Registration cannot be used to enumerate accounts`() throws {
        let world = try World()
        try world.register()
        try come("bad", from: "192.0.2.1", world)
        for _ in 1...5 {
            #expect(try world.register(from: "bad").hasPrefix("invalid: username is taken"))
        }
        #expect(try world.register(from: "bad") == "too-many-attempts")
        #expect(try register(1, world, from: "bad") == "too-many-attempts")
        #expect(try register(1, world) == "ok")
    }

    @Test func `Repeated registrations from an address are slowed down`() throws {
        let world = try World()
        try come("bad", from: "192.0.2.1", world)
        for number in 1...5 { #expect(try register(number, world, from: "bad") == "ok") }
        #expect(try register(6, world, from: "bad") == "too-many-attempts")
        try world.pass(.seconds(1))
        #expect(try register(6, world, from: "bad") == "ok")
    }

    @Test func `An invalid form does not count as an attempt`() throws {
        let world = try World()
        try come("good", from: "192.0.2.1", world)
        for _ in 1...10 {
            #expect(try world.register(["email": #""x""#], from: "good").hasPrefix("invalid"))
        }
        #expect(try world.register(from: "good") == "ok")
    }

    @Test func `At most 60 registrations a minute are accepted in total`() throws {
        let world = try World()
        for number in 1...60 { #expect(try register(number, world) == "ok") }
        #expect(try register(61, world) == "too-many-attempts")
        try world.pass(.seconds(60))
        #expect(try register(61, world) == "ok")
    }

    // MARK: Users

    @Test func `A taken address and a wrong old password count as attempts`() throws {
        let world = try World.withFamily()
        try world.register()
        try world.token()
        for _ in 1...2 {
            let update = #"{"email":"alice@example.org"}"#
            #expect(
                try world.outcome("carol", "account.update", update) == "invalid: email is taken")
            let change = #"{"old":"wrong horse","new":"another horse"}"#
            #expect(try world.outcome("carol", "account.password", change) == "wrong-credentials")
        }
        let delete = #"{"password":"wrong horse"}"#
        #expect(try world.outcome("carol", "account.delete", delete) == "wrong-credentials")
        for (method, payload) in [
            ("account.update", #"{"email":"free@example.org"}"#),
            ("account.password", #"{"old":"correct horse","new":"another horse"}"#),
            ("account.delete", #"{"password":"correct horse"}"#),
        ] {
            #expect(try world.outcome("carol", method, payload) == "too-many-attempts")
        }
        #expect(try world.outcome("carol", "account.update", #"{"firstName":"K"}"#) == "ok")
        try world.pass(.seconds(1))
        #expect(
            try world.outcome("carol", "account.update", #"{"email":"free@example.org"}"#) == "ok")
    }

    @Test func `A free address does not count as an attempt`() throws {
        let world = try World()
        try world.register()
        for number in 1...10 {
            let payload = #"{"email":"new\#(number)@example.org"}"#
            #expect(try world.outcome("carol", "account.update", payload) == "ok")
        }
    }
}
