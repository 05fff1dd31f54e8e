import Contract
import JSON
import MQTT
import OperatorTools
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// From a guest to a device that may connect.
struct LoginTests {
    @Test func `A registered user logs in and gets a token stored only as a hash`() throws {
        let world = try World()
        let reply = try world.askAsGuest("account.register", object(carol))
        #expect(reply["result"]?["user"]?.text == "carol")

        let result = try #require(try world.logIn()["result"])
        #expect(result["user"]?.text == "carol")
        #expect(result["device"]?.text == "phone")
        #expect(result["root"]?.text == "kith")
        let token = try #require(DeviceToken(result["token"]?.text ?? ""))
        #expect(token.user == "carol")
        #expect(token.device == "phone")
        #expect(try world.tokenHashes() == ["phone": token.hash])
    }

    @Test(arguments: ["carol", "carol@example.org", "CAROL@Example.ORG"])
    func `A login is the user name or the email address`(_ login: String) throws {
        let world = try World()
        try world.register()
        #expect(try world.logIn(login).outcome == "ok")
    }

    @Test(arguments: [
        ("carol", "wrong horse"), ("dave", "correct horse"), ("dave@example.org", "correct horse"),
        ("Carol", "correct horse"), ("ｃarol", "correct horse"), ("carol ", "correct horse"),
        ("carol", "correct horse "), ("carol", "Correct horse"), ("' OR 1=1 --", "correct horse"),
        ("alice", "correct horse"), ("alice@example.org", ""),
    ])
    func `Every wrong login gets the same reply`(_ login: String, _ password: String) throws {
        let world = try World()
        try world.addUsers("alice")  // Without a password.
        try world.register()
        let expected =
            password.isEmpty ? "invalid: password must not be empty" : "wrong-credentials"
        #expect(try world.logIn(login, password).outcome == expected)
        #expect(try world.count("devices") == 0)
    }

    @Test func `An operator-created user logs in with the password the operator set`() throws {
        let world = try World()
        try world.addUsers("carol")
        #expect(try world.logIn().outcome == "wrong-credentials")
        let service = Operator(databasePath: "", world.settings)
        for password in ["first horse", "correct horse"] {
            let replies = try world.operate(service.settingPassword(password, of: "carol"))
            #expect(replies.first?["result"] != nil, "\(replies)")
        }
        #expect(try world.logIn().outcome == "ok")
        #expect(try world.logIn("carol", "first horse").outcome == "wrong-credentials")
        #expect(throws: BridgeError.self) { try service.settingPassword("Carol", of: "carol") }
        let nobody = try world.operate(service.settingPassword("correct horse", of: "dave"))
        #expect(nobody.first?.outcome == "unknown-user")
    }

    @Test func `A password matches in any Unicode composition`() throws {
        let world = try World()
        try world.register(["password": "\"caf\u{E9} au lait\""])
        #expect(try world.logIn("carol", "cafe\u{301} au lait").outcome == "ok")
        #expect(try world.logIn("carol", "cafe au lait").outcome == "wrong-credentials")
    }

    @Test func `A device that logs in again gets a new token and loses the old one`() throws {
        let world = try World()
        try world.register()
        let (first, second) = (try world.token(), try world.token())
        #expect(first != second)
        #expect(try world.tokenHashes() == ["phone": second.hash])
        #expect(try world.count("devices") == 1)
    }

    @Test func `Password work is requested in one turn and finished in another`() throws {
        let world = try World()
        try world.register()
        world.worksOnPasswords = false
        let published = try world.turn([
            try world.guestMessage(
                "account.login", #"{"login":"carol","password":"correct horse","device":"phone"}"#)
        ])
        #expect(published.isEmpty)
        #expect(try world.tokenHashes().isEmpty)
        let replies = try world.workOnPasswords()
        #expect(replies.map { JSONValue.read($0.payload).outcome } == ["ok"])
        #expect(try world.tokenHashes().count == 1)
    }

    @Test func `An outgoing token is never written to disk`() throws {
        let world = try World()
        world.confirms = false
        try world.register()
        let before = try world.count("outbox")
        try world.logIn()
        #expect(try world.count("outbox") == before)
        // That it was executed is, without its answer.
        #expect(try world.count("replies", where: "payload = \(TestDatabase.bytes("{}"))") == 1)
        #expect(try world.count("replies") == 1)
        #expect(before == 1)  // The one from the registration.
    }

    @Test func `A repeated login creates another token`() throws {
        let world = try World()
        try world.register()
        let payload = #"{"id":1,"login":"carol","password":"correct horse","device":"phone"}"#
        let first = try world.askAsGuest("account.login", payload)
        let second = try world.askAsGuest("account.login", payload)
        #expect(first["id"] == .number(1))
        #expect(first["result"]?["token"] != second["result"]?["token"])
    }

    /// A broker that was killed restarts from its last save, and then redelivers what was in flight
    /// at that time, although the bridge has acknowledged it since.
    @Test(arguments: [nil, #""id":1,"#], [nil, [7] as [UInt8]])
    func `A login redelivered after a crash does not end the session that it began`(
        _ id: String?, _ correlation: [UInt8]?
    ) throws {
        let world = try World()
        try world.register()
        var message = try world.guestMessage(
            "account.login",
            #"{\#(id ?? "")"login":"carol","password":"correct horse","device":"phone"}"#,
            correlation: correlation)
        message.packetID = 4
        func outcome() throws -> String? {
            try world.turn([message]).filter { $0.topic.hasPrefix("kith/guests/") }
                .map { JSONValue.read($0.payload).outcome }.first
        }
        #expect(try outcome() == "ok")
        let hashes = try world.tokenHashes()
        let notices = try world.count("notices")
        world.sleep(.seconds(20))
        try world.reconnect()
        world.sleep(.seconds(1))
        #expect(try outcome()?.hasPrefix("id-already-used") == true)
        #expect(try world.tokenHashes() == hashes)
        #expect(try world.count("notices") == notices)
        #expect(world.engine.metrics["requests-repeated"] == 1)
        // The same client, with the same ids, logs in as often as it likes.
        world.sleep(.seconds(61))
        #expect(try outcome() == "ok")
        #expect(try outcome() == "ok")
        #expect(try world.tokenHashes() != hashes)
    }

    // MARK: Concurrent changes

    @Test func `A user deleted during the password check is not logged in`() throws {
        let world = try World()
        try world.register()
        try loseRace(world) { try world.operate(.removeUser("carol")) }
    }

    @Test func `A password changed during the check does not log in`() throws {
        let world = try World()
        try world.register()
        try world.token(device: "watch")
        try loseRace(world) {
            world.worksOnPasswords = true
            let outcome = try world.outcome(
                "carol/watch", "account.password",
                #"{"old":"correct horse","new":"another horse"}"#)
            #expect(outcome == "ok")
            world.worksOnPasswords = false
        }
    }

    /// - Parameter event: happens after the password was found correct and before that takes
    ///   effect.
    private func loseRace(_ world: World, _ event: () throws -> Void) throws {
        world.worksOnPasswords = false
        try world.turn([
            try world.guestMessage(
                "account.login", #"{"login":"carol","password":"correct horse","device":"phone"}"#)
        ])
        let outcomes = world.engine.takeWork(PasswordWork.self).map { $0.perform() }
        #expect(outcomes.map(\.isRight) == [true])
        try event()
        let replies = try world.engine.turn(
            [], at: world.now, listeningSince: world.now, [],
            outcomes: outcomes)
        #expect(replies.map { JSONValue.read($0.payload).outcome } == ["wrong-credentials"])
        #expect(try world.count("devices", where: "name = 'phone'") == 0)
    }

    // MARK: Limits

    @Test func `A user has at most 100 device names, including logged-out ones`() throws {
        let world = try World()
        try world.register()
        for number in 1...BridgeSettings.maximumDeviceNames {
            #expect(try world.logIn(device: "d\(number)").outcome == "ok")
            #expect(try world.outcome(Sender("carol/d\(number)"), "account.logout") == "ok")
        }
        #expect(try world.logIn(device: "one-more").outcome == "too-many")
        #expect(try world.logIn(device: "d7").outcome == "ok")
    }

    @Test func `Logins beyond the queue limit are rejected until there is room`() throws {
        let world = try World()
        world.worksOnPasswords = false
        let messages = try (0...BridgeSettings.maximumPasswordWork).map { number in
            try world.guestMessage(
                "account.login", #"{"login":"user\#(number)","password":"x","device":"phone"}"#)
        }
        let replies = try world.turn(messages)
        #expect(replies.map { JSONValue.read($0.payload).outcome } == ["too-many-attempts"])
        #expect(try world.workOnPasswords().count == BridgeSettings.maximumPasswordWork)
        #expect(world.engine.metrics["passwords-put-off"] == 1)
        let later = try world.turn([messages[0]])
        #expect(later.isEmpty)
        #expect(try world.workOnPasswords().count == 1)
    }

    @Test func `A newcomer's login gets a place beside many persistent visitors`() throws {
        let world = try World()
        world.worksOnPasswords = false
        func attempt(_ visitor: String, _ number: Int) throws -> String? {
            let message = try world.guestMessage(
                "account.login",
                #"{"visitor":"\#(visitor)","login":"\#(visitor)-\#(number)","password":"x","device":"phone"}"#
            )
            return try world.turn([message]).first.map { JSONValue.read($0.payload).outcome }
        }
        for number in 0..<4 {
            for visitor in 0..<20 { _ = try attempt("v\(visitor)", number) }
            for visitor in 20..<40 {
                let message = try world.guestMessage(
                    "account.register",
                    #"{"visitor":"v\#(visitor)","username":"u\#(visitor)-\#(number)","email":"u\#(visitor).\#(number)@example.org","password":"a long enough one","firstName":"U","lastName":"V","acceptTerms":true}"#
                )
                _ = try world.turn([message])
            }
        }
        #expect(try attempt("newcomer", 1) == nil)
        #expect(try attempt("newcomer", 2) == "too-many-attempts")
        #expect(try world.workOnPasswords().count == 41)
    }
}
