import Contract
import JSON
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// How much a company finds out about people by requesting them, and what reaches them of it.
struct AskingTests {
    private func world(_ settings: BridgeSettings = BridgeSettings()) throws -> World {
        let world = try World.withFamily(settings)
        try world.makeService()
        return world
    }

    private func state(_ world: World, _ user: String, service: Name = "myheart") throws -> String {
        let reply = try world.askAsService(
            "data.request", #"{"user":"\#(user)","reason":"To draw your heart."}"#,
            service: service)
        return reply["result"]?["state"]?.text ?? reply.outcome
    }

    private func requests(_ world: World, _ who: Sender = "alice") throws -> [JSONValue] {
        try world.ask(who, "consent.list")["result"]?["requests"]?.elements ?? []
    }

    // MARK: Looking up

    @Test(arguments: [
        ("data.get", ""), ("data.subscribe", ""), ("data.unsubscribe", ""),
        ("data.request", #","reason":"Why not?""#),
    ])
    func `Replies are the same whether or not the user exists`(method: String, fields: String)
        throws
    {
        let world = try world()
        func reply(_ user: String) throws -> JSONValue {
            try world.askAsService(method, #"{"user":"\#(user)"\#(fields)}"#)
        }
        let known = try reply("alice")
        #expect(try reply("nobody") == known)
        #expect(try reply("acme") == known)
        // Nothing else differs, immediately or later.
        try world.passQuestions()
        _ = world.published()
        #expect(try reply("alice") == known && reply("nobody") == known)
        #expect(world.told().isEmpty)
    }

    @Test func `The answering turn stores nothing about the request`() throws {
        let world = try world()
        world.goesOn = false
        for user in ["alice", "nobody"] {
            _ = try world.askAsService("data.get", #"{"user":"\#(user)"}"#)
            #expect(try world.count("access_log") == 0, "\(user)")
        }
        world.goesOn = true
        try world.passQuestions()
        #expect(try world.log() == ["myheart denied"])
    }

    @Test func `A request expires alike for known and unknown users, and can be repeated`() throws {
        let world = try world()
        #expect(try state(world, "alice") == "pending" && state(world, "nobody") == "pending")
        #expect(try world.count("asked_people") == 2)
        #expect(try requests(world).count == 1)
        world.sleep(BridgeSettings.requestLifetime - .seconds(60))
        try world.restart()
        try world.sweep()
        #expect(try requests(world).count == 1)
        let late = try requests(world).first?["request"]?.text ?? ""
        world.sleep(.seconds(120))
        #expect(try requests(world).isEmpty)
        #expect(
            try world.outcome(
                "alice", "consent.answer", #"{"request":"\#(late)","allow":true}"#)
                == "unknown-request")
        try world.sweep()
        #expect(try world.count("asked_people") == 0 && world.count("data_requests") == 0)
        #expect(try state(world, "alice") == "pending" && state(world, "nobody") == "pending")
        #expect(try requests(world).count == 1)
    }

    @Test func `A deleted service leaves no refused request to its successor`() throws {
        let world = try world()
        world.goesOn = false
        _ = try world.askAsService("data.get", #"{"user":"alice"}"#)
        _ = try world.ask("acme/desk", "service.delete", #"{"service":"myheart"}"#)
        world.goesOn = true
        try world.sweep()
        // As in a database from before numbers were assigned only once.
        try world.reuseNumbers()
        try world.addUsers("dave")
        try world.passQuestions()
        #expect(try world.log() == [])
    }

    @Test func `A service's pending requests survive a crash`() throws {
        let world = try world()
        #expect(try state(world, "alice") == "pending")
        #expect(try world.noticeKinds(of: "alice").isEmpty)
        try world.restart()
        try world.passQuestions()
        #expect(try world.noticeKinds(of: "alice") == ["consent-requested"])
        #expect(try requests(world).count == 1)
        // Neither the name nor the reason is kept with unanswered requests.
        let rows = try world.store.transaction { try $0.askedPeople(perhaps: "alice", atMost: 10) }
        #expect(rows.isEmpty)
    }

    @Test func `A company can try only so many service names`() throws {
        let world = try world()
        var outcomes: [String] = []
        for _ in 0...BridgeSettings.maximumServiceNames {
            world.sleep(.seconds(1))
            outcomes.append(try world.makeService("alice").outcome)
        }
        #expect(outcomes.first == "invalid: service is taken")
        #expect(outcomes.last == "too-many")
    }

    // MARK: Contacting strangers

    @Test func `A company can ask a limited number of strangers a day, existing or not`() throws {
        var settings = BridgeSettings()
        settings.accounts.strangersPerDay = 5
        let world = try world(settings)
        try world.makeService("mysteps")
        #expect(try state(world, "alice") == "pending")
        for number in 1...4 {
            #expect(try state(world, "nobody-\(number)", service: "mysteps") == "pending")
        }
        #expect(try state(world, "bob") == "too-many")
        #expect(try state(world, "nobody-9") == "too-many")
        // It can ask again those whom it has asked before.
        #expect(try state(world, "alice") == "pending")
        try world.restart()
        #expect(try state(world, "bob") == "too-many")
        // A user who has answered is not a stranger.
        let request = try requests(world).first?["request"]?.text ?? ""
        #expect(
            try world.outcome(
                "alice", "consent.answer", #"{"request":"\#(request)","allow":true}"#) == "ok")
        #expect(try state(world, "bob") == "pending")
        world.sleep(.seconds(86_400))
        for number in 10...14 { #expect(try state(world, "nobody-\(number)") == "pending") }
        try world.makeService("other", of: "globex/desk")
        #expect(try state(world, "bob", service: "other") == "pending")
    }

    @Test(arguments: [
        "See https://evil.example", "Go to www.evil", "evil.example/win", "Write to a@b.example",
        "evil．example", "evil。example", "ev\u{AD}il.example", "xn--e1a.xn--p1ai",
    ])
    func `Company texts with links are rejected`(text: String) throws {
        let world = try world()
        let outcome = "must not contain links or addresses"
        #expect(
            try world.askAsService("data.request", #"{"user":"alice","reason":"\#(text)"}"#).outcome
                == "invalid: reason \(outcome)")
        for field in ["name", "description"] {
            let other = field == "name" ? "description" : "name"
            #expect(
                try world.ask(
                    "acme/desk", "service.create",
                    #"{"service":"next","\#(field)":"\#(text)","\#(other)":"Fine"}"#
                ).outcome == "invalid: \(field) \(outcome)")
        }
        let company = try world.askAsGuest(
            "thirdparty.register",
            #"{"company":"\#(text)","username":"evil","email":"e@example.org","#
                + #""password":"correct horse evil","acceptTerms":true}"#)
        #expect(company.outcome == "invalid: company \(outcome)")
        #expect(try requests(world).isEmpty)
    }

    @Test(arguments: [
        ("", "must not be empty"), ("a\\nb", "must not contain control characters"),
        (String(repeating: "a", count: 201), "must have at most 200 characters"),
    ])
    func `A reason must be one short line`(text: String, reason: String) throws {
        let world = try world()
        #expect(
            try world.askAsService("data.request", #"{"user":"alice","reason":"\#(text)"}"#).outcome
                == "invalid: reason \(reason)")
    }

    @Test(arguments: [
        "To draw your heart, e.g. at night.", "It needs 3.5 MB. Nothing more…", "Za 2.5 km? Da!",
    ])
    func `Ordinary sentences are accepted`(text: String) throws {
        let world = try world()
        #expect(
            try world.askAsService("data.request", #"{"user":"alice","reason":"\#(text)"}"#).outcome
                == "ok")
        #expect(try requests(world).first?["reason"]?.text == text)
    }

    // MARK: Who asks

    @Test func `A company can ask no one before its address is confirmed`() throws {
        let world = try World.withFamily()
        try world.makeCompany(isConfirmed: false)
        try world.makeService()
        #expect(try state(world, "alice") == "not-allowed")
        #expect(try state(world, "nobody") == "not-allowed")
        #expect(try requests(world).isEmpty)
        _ = try world.operate(.confirmAddress("acme"))
        #expect(try state(world, "alice") == "pending")
        // A new address has to be confirmed again.
        let change = #"{"email":"new@example.org","password":"correct horse acme"}"#
        #expect(try world.outcome("acme/desk", "account.update", change) == "ok")
        #expect(try state(world, "bob") == "not-allowed")
    }
}
