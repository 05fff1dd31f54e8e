import Contract
import JSON
import MQTT
import Testing
import Tracking

@testable import Bridge

/// Registration, and the replies when it is refused.
struct RegistrationTests {
    @Test func `Registration stores the data, but not the password`() throws {
        let world = try World()
        #expect(try world.register() == "ok")
        let kept = """
            name = 'carol' AND first_name = 'Carol' AND last_name = 'Čapek'
                AND display_name = 'Carol Čapek' AND email = 'Carol@example.org'
                AND password_hash LIKE '$scrypt$ln=10,r=1,p=1$%'
            """
        #expect(try world.count("users", where: kept) == 1)
        #expect(try world.count("users", where: "password_hash LIKE '%horse%'") == 0)
    }

    @Test func `Two users with the same password have different hashes`() throws {
        let world = try World()
        try world.register()
        try world.register(["username": #""dave""#, "email": #""dave@example.org""#])
        #expect(
            try world.integers("SELECT COUNT(DISTINCT password_hash) FROM users") == [2])
    }

    @Test func `A registered user survives a restart`() throws {
        let world = try World()
        try world.register()
        try world.restart()
        #expect(try world.logIn("carol@EXAMPLE.org").outcome == "ok")
        #expect(
            try world.register(["username": #""other""#]) == "invalid: email is taken")
    }

    // MARK: Invalid fields

    @Test func `All invalid fields are reported at once`() throws {
        let world = try World()
        let outcome = try world.askAsGuest("account.register", "{}").outcome
        #expect(
            outcome == "invalid: username is missing; email is missing; password is missing; "
                + "firstName is missing; lastName is missing; acceptTerms must be true")
    }

    @Test(arguments: [
        ("username", #""Carol""#, "username \(notAName)"),
        ("username", #""c""#, "username \(notAName)"),
        ("username", "7", "username must be a string"),
        ("username", #""../etc""#, "username \(notAName)"),
        ("username", #""carol'--""#, "username \(notAName)"),
        ("username", #""сarol""#, "username \(notAName)"),
        ("email", #""carol""#, "email must be an address such as ann@example.org"),
        ("email", #""@x""#, "email must be an address such as ann@example.org"),
        ("email", #""x@""#, "email must be an address such as ann@example.org"),
        ("email", #""a@b@c""#, "email must be an address such as ann@example.org"),
        ("email", #""a b@c.org""#, "email must not contain spaces or control characters"),
        ("email", #""a\u0000@c.org""#, "email must not contain spaces or control characters"),
        ("email", #""a\u202e@c.org""#, "email must not contain spaces or control characters"),
        ("password", #""seven 7""#, "password must have at least 8 characters"),
        ("password", #""""#, "password must not be empty"),
        ("password", "12345678", "password must be a string"),
        ("firstName", #"" ""#, "firstName must not be empty"),
        ("lastName", #""a\nb""#, "lastName must not contain control characters"),
        ("acceptTerms", "false", "acceptTerms must be true"),
        ("acceptTerms", #""true""#, "acceptTerms must be true"),
    ])
    func `An invalid field is named`(_ field: String, _ value: String, _ words: String) throws {
        let world = try World()
        #expect(try world.register([field: value]) == "invalid: \(words)")
        #expect(try world.count("users") == 0)
    }

    @Test func `Field lengths are bounded`() throws {
        let world = try World()
        let long = String(repeating: "x", count: 1025)
        #expect(
            try world.register(["password": "\"\(long)\""])
                == "invalid: password must have at most 1024 bytes")
        let address = String(repeating: "x", count: 250) + "@x.io"
        #expect(
            try world.register(["email": "\"\(address)\""])
                == "invalid: email must have at most 254 bytes")
        let name = "\"\(String(repeating: "x", count: 40))\""
        #expect(
            try world.register(["firstName": name, "lastName": name])
                == "invalid: lastName must have at most 64 characters, "
                + "together with the other name")
        #expect(try world.register(["password": "\"\(long.dropLast())\""]) == "ok")
    }

    @Test func `A password must not be the user name`() throws {
        let world = try World()
        #expect(
            try world.register(["username": #""carol-123""#, "password": #""CAROL-123""#])
                == "invalid: password must not be the user name")
    }

    // MARK: Taken names and addresses

    @Test func `A taken name or address is reported`() throws {
        let world = try World()
        try world.register()
        #expect(try world.register() == "invalid: username is taken; email is taken")
        #expect(
            try world.register(["username": #""dave""#, "email": #""CAROL@EXAMPLE.ORG""#])
                == "invalid: email is taken")
        #expect(try world.count("users") == 1)
    }

    @Test func `Taken names and addresses are reported together with invalid fields`() throws {
        let world = try World()
        try world.register()
        #expect(
            try world.register(["password": #""short""#, "firstName": "7"])
                == "invalid: password must have at least 8 characters; firstName must be a string; "
                + "username is taken; email is taken")
        #expect(
            try world.register(["username": #""C""#, "email": #""CAROL@example.org""#])
                == "invalid: username \(notAName); email is taken")
        #expect(
            try world.register(["username": #""dave""#, "email": "7"])
                == "invalid: email must be a string")
    }

    @Test func `Invalid forms stop revealing taken names after five attempts`() throws {
        let world = try World()
        try world.register()
        let client = try #require(ClientID("mosq-1"))
        try world.report(.connected(.guest(client, address: "192.0.2.1")))
        let both = "invalid: acceptTerms must be true; username is taken; email is taken"
        for _ in 1...5 { #expect(try world.register(["acceptTerms": "false"]) == both) }
        #expect(
            try world.register(["acceptTerms": "false"]) == "invalid: acceptTerms must be true")
        try world.pass(.seconds(1))
        #expect(try world.register(["acceptTerms": "false"]) == both)
    }

    @Test func `Invalid forms from all addresses together stop revealing taken names`() throws {
        let world = try World()
        try world.register()
        let both = "invalid: acceptTerms must be true; username is taken; email is taken"
        for _ in 1...AttemptBook.maximumRegistrations {
            #expect(try world.register(["acceptTerms": "false"]) == both)
        }
        #expect(
            try world.register(["acceptTerms": "false"]) == "invalid: acceptTerms must be true")
        world.sleep(.seconds(60))
        #expect(try world.register(["acceptTerms": "false"]) == both)
    }

    @Test func `Only the first of two concurrent registrations gets the name`() throws {
        let world = try World()
        world.worksOnPasswords = false
        let payload = object(carol)
        try world.turn([
            try world.guestMessage("account.register", payload, from: "one"),
            try world.guestMessage("account.register", payload, from: "two"),
        ])
        let replies = try world.workOnPasswords()
        #expect(
            replies.map { JSONValue.read($0.payload).outcome }
                == ["ok", "invalid: username is taken; email is taken"])
        #expect(replies.map(\.topic) == ["kith/guests/one/replies", "kith/guests/two/replies"])
        #expect(try world.count("users") == 1)
    }

    // MARK: Replies

    @Test func `A guest can choose a reply topic below its own replies`() throws {
        let world = try World()
        let topic = "kith/guests/mosq-1/replies/a/b"
        let published = try world.turn([
            try world.guestMessage(
                "account.register", object(carol, ["id": "7"]), responseTopic: topic,
                correlation: [1, 2])
        ])
        let reply = try #require(published.last)
        #expect(reply.topic == topic)
        #expect(reply.correlationData == [1, 2])
        #expect(reply.qos == .atLeastOnce)
        #expect(JSONValue.read(reply.payload)["id"] == .number(7))
    }

    @Test(arguments: [
        "kith/guests/other/replies", "kith/guests/mosq-1/requests/x",
        "kith/users/carol/devices/phone/replies", "kith/guests/mosq-1/replies/#",
        "kith/guests/mosq-1/repliesx", "",
    ])
    func `A reply topic elsewhere is rejected`(_ topic: String) throws {
        let world = try World()
        let published = try world.turn([
            try world.guestMessage(
                "account.register", object(carol), responseTopic: topic, correlation: [1])
        ])
        #expect(published.map(\.topic) == ["kith/guests/mosq-1/replies"])
        #expect(published.map { JSONValue.read($0.payload).outcome } == ["not-allowed"])
        #expect(published.map(\.correlationData) == [nil])
        #expect(try world.count("users") == 0)
    }

    @Test(arguments: [
        ("group.create", "not-allowed"), ("sos.trigger", "not-allowed"),
        ("account.delete", "not-allowed"), ("device.list", "not-allowed"),
        ("account.register2", "unknown-method"), ("x", "unknown-method"),
    ])
    func `Guests cannot call other methods`(_ method: String, _ kind: String) throws {
        #expect(try World().askAsGuest(method, "{}").outcome == kind)
    }

    @Test(arguments: ["account.register", "account.login"])
    func `Users cannot call guest methods`(_ method: String) throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", method, object(carol)) == "not-allowed")
    }

    @Test(arguments: [
        ("{", "malformed"), ("[]", "invalid: payload must be an object"),
        (#"{"id":{}}"#, "invalid: id must be a string of at most 128 bytes or a number"),
    ])
    func `An unreadable request gets an error reply`(_ payload: String, _ words: String) throws {
        #expect(try World().askAsGuest("account.login", payload).outcome == words)
    }

    @Test func `A large guest request is rejected`() throws {
        let world = try World()
        let padding = "\"\(String(repeating: "x", count: 4096))\""
        #expect(try world.register(["padding": padding]) == "too-large")
        let published = try world.turn([
            try world.guestMessage(
                "account.register", object(carol),
                correlation: [UInt8](repeating: 1, count: 4096))
        ])
        #expect(published.map { JSONValue.read($0.payload).outcome } == ["too-large"])
        #expect(published.map(\.correlationData) == [nil])
    }
}
