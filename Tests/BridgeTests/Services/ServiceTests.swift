import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Companies and their services, and people who agree to give them data.
struct ServiceTests {
    private static let alice = #"{"user":"alice"}"#
    private static let heart = #"{"service":"myheart"}"#

    /// Alice and Bob, and a service that has asked for nothing.
    private func world() throws -> World {
        let world = try World.withFamily()
        try world.makeService()
        return world
    }

    @Test func `A company registers, and creates services once it has a second factor`() throws {
        let world = try World.withFamily()
        let answer = try world.makeCompany(secondFactor: false)
        #expect(answer["result"]?["user"]?.text == "acme")
        #expect(try world.makeService().outcome == "second-factor-required")
        let other = try World.withFamily()
        try other.makeCompany()
        let made = try other.makeService()
        let token = try #require(made["result"]?["token"]?.text.flatMap { PrincipalToken($0) })
        #expect(token.principal == .service("myheart"))
        #expect(try other.makeService().outcome == "invalid: service is taken")
        #expect(try other.makeService("alice").outcome == "invalid: service is taken")
        let listed = try other.ask("acme/desk", "service.list")["result"]?["services"]?.elements
        #expect(listed?.count == 1 && listed?.first?["users"]?.integer == 0)
        let newer = try other.ask("acme/desk", "service.token", ServiceTests.heart)
        #expect(newer["result"]?["token"]?.text?.hasPrefix("service:myheart.") == true)
        #expect(newer["result"]?["token"]?.text != token.text)
    }

    @Test(arguments: [
        ("", #""acceptTerms":false"#, "acceptTerms must be true"),
        (#""company":"Acme","#, #""email":"x""#, "email must be an address such as"),
        (#""company":"Acme","#, #""password":"short""#, "password must have at least 8 characters"),
        (#""company":"Łódź","#, "", "username is required"),
        (#""company":"Alice","#, "", "username is taken"),
        (
            #""company":"Acme","username":"acme-2","#, #""email":"taken@example.org""#,
            "email is taken"
        ),
    ])
    func `A rejected company registration names the reason`(
        first: String, changed: String, reason: String
    ) throws {
        let world = try World.withFamily()
        try world.makeCompany("taken")
        var fields = [
            "email": #""email":"new@example.org""#, "password": #""password":"correct horse""#,
            "acceptTerms": #""acceptTerms":true"#,
        ]
        for key in fields.keys where changed.hasPrefix("\"\(key)\"") { fields[key] = changed }
        let request = "{" + first + fields.values.sorted().joined(separator: ",") + "}"
        let outcome = try world.askAsGuest("thirdparty.register", request).outcome
        #expect(outcome.hasPrefix("invalid: ") && outcome.contains(reason), "\(outcome)")
    }

    @Test func `Each account has only the methods of its kind`() throws {
        let world = try world()
        for (who, method, fields) in [
            ("alice", "service.list", "{}"), ("alice", "data.users", "{}"),
            ("acme/desk", "group.list", "{}"), ("acme/desk", "data.users", "{}"),
            ("acme/desk", "sos.trigger", "{}"), ("acme/desk", "consent.list", "{}"),
        ] {
            #expect(try world.outcome(Sender(who), method, fields) == "not-allowed", "\(method)")
        }
        for method in ["service.list", "account.get", "group.list", "consent.list"] {
            #expect(try world.askAsService(method, "{}").outcome == "not-allowed", "\(method)")
        }
        #expect(try world.outcome("acme/desk", "account.get") == "ok")
        #expect(try world.askAsService("notice.list").outcome == "ok")
        // Neither is a user whom people can meet, or who has a position.
        for method in ["friend.add", "friend.block"] {
            #expect(
                try world.outcome("alice", method, #"{"user":"acme"}"#) == "unknown-user",
                "\(method)"
            )
        }
        // Inviters are not told whether an invitation has been received.
        let invitation = #"{"group":"$family","user":"myheart"}"#
        #expect(try world.outcome("alice", "group.invite", invitation) == "ok")
        #expect(world.told().isEmpty)
        _ = world.published()
        try world.send(world.fixMessage("acme/desk", TestFix(1)))
        try world.send(world.requestMessage("myheart/service", "data.users", "{}"))
        let published = world.published()
        #expect(published.filter { $0.topic.hasSuffix("/rejected") }.count == 2)
        #expect(
            !published.contains { $0.topic.contains("/stored") || $0.topic.contains("replies") })
    }

    @Test func `A company can manage only its own services`() throws {
        let world = try world()
        try world.makeService("other", of: "globex/desk")
        for method in ["service.token", "service.delete"] {
            #expect(
                try world.outcome("globex/desk", method, ServiceTests.heart) == "unknown-service")
        }
        #expect(try world.outcome("alice", "service.add", ServiceTests.heart) == "ok")
        #expect(
            try world.askAsService("data.get", ServiceTests.alice, service: "other").outcome
                == "no-consent")
    }

    @Test func `An added service can read the user's data until it is removed`() throws {
        let world = try world()
        try world.fix("alice", TestFix(1))
        let found = try world.ask("alice", "service.discover")["result"]?["services"]?.elements
        #expect(found?.first?["company"]?.text == "Acme")
        #expect(try world.askAsService("data.get", ServiceTests.alice).outcome == "no-consent")
        #expect(
            try world.askAsService("data.subscribe", ServiceTests.alice).outcome == "no-consent")
        try world.passQuestions()
        #expect(try world.outcome("alice", "service.add", ServiceTests.heart) == "ok")
        #expect(world.told() == ["consent-given alice"])
        #expect(try world.outcome("alice", "service.add", ServiceTests.heart) == "ok")
        let listed = try world.ask("alice", "consent.list")["result"]?["services"]?.elements
        #expect(listed?.count == 1 && listed?.first?["subscribed"] == .bool(false))
        let page = try world.askAsService("data.get", ServiceTests.alice)["result"]
        #expect(page?["samples"]?.elements.count == 1 && page?["next"] == .null)
        #expect(page?["samples"]?.elements.first?["latitude"] != nil)
        #expect(try world.outcome("alice", "service.remove", ServiceTests.heart) == "ok")
        #expect(world.told() == ["consent-revoked alice"])
        #expect(try world.askAsService("data.get", ServiceTests.alice).outcome == "no-consent")
        #expect(try world.outcome("alice", "service.remove", ServiceTests.heart) == "no-consent")
        try world.passQuestions()
        #expect(
            try world.log() == [
                "myheart denied", "myheart granted", "myheart read 1", "myheart revoked",
                "myheart denied",
            ])
    }

    @Test func `A service that asks is notified of the user's decision`() throws {
        let world = try world()
        let ask = #"{"user":"alice","reason":"To draw your heart."}"#
        func state() throws -> String? {
            try world.askAsService("data.request", ask)["result"]?["state"]?.text
        }
        func answer(_ isAllowed: Bool) throws -> String {
            let requests = try world.ask("alice", "consent.list")["result"]?["requests"]?.elements
            #expect(requests?.count == 1)
            #expect(requests?.first?["reason"]?.text == "To draw your heart.")
            let id = requests?.first?["request"]?.text ?? ""
            return try world.outcome(
                "alice", "consent.answer", #"{"request":"\#(id)","allow":\#(isAllowed)}"#)
        }
        #expect(try state() == "pending")
        try world.passQuestions()
        let notices = try world.ask("alice", "notice.list")["result"]?["notices"]?.elements
        #expect(notices?.first?["kind"]?.text == "consent-requested")
        // Alice is asked once.
        #expect(try state() == "pending")
        _ = world.published()
        #expect(try answer(false) == "ok")
        #expect(world.told() == ["consent-refused alice"])
        #expect(try world.askAsService("data.get", ServiceTests.alice).outcome == "no-consent")
        #expect(try state() == "pending")
        #expect(try answer(true) == "ok")
        #expect(try state() == "granted")
        #expect(try world.outcome("alice", "service.remove", ServiceTests.heart) == "ok")
        #expect(try state() == "pending")
        #expect(try answer(false) == "ok")
        // Two refusals silence the company, whatever its next service is called.
        #expect(try state() == "silenced")
        try world.makeService("myheart2")
        let other = try world.askAsService("data.request", ask, service: "myheart2")
        #expect(other["result"]?["state"]?.text == "silenced")
        #expect(
            try world.askAsService("data.request", #"{"user":"acme","reason":"Why?"}"#)["result"]?[
                "state"]?.text == "pending")
        #expect(
            try world.outcome(
                "bob", "consent.answer",
                #"{"request":"01890000-0000-7000-8000-000000000000","allow":true}"#)
                == "unknown-request")
    }

    @Test func `Deleting an account notifies its services and ends their access`() throws {
        let world = try world()
        let added = #"{"service":"myheart","stream":true}"#
        #expect(try world.outcome("alice", "service.add", added) == "ok")
        _ = try world.askAsService("data.subscribe", ServiceTests.alice)
        _ = world.published()
        try world.operate(.removeUser("alice"))
        #expect(world.told() == ["data-erased alice"])
        let users = try world.askAsService("data.users")["result"]?["users"]
        #expect(users?.elements.isEmpty == true)
        #expect(try world.askAsService("data.get", ServiceTests.alice).outcome == "no-consent")
    }

    @Test func `A company cannot take all of a user's open requests`() throws {
        let world = try World.withFamily()
        let request = #"{"user":"alice","reason":"Why not?"}"#
        for number in 1...5 {
            try world.makeService("acme\(number)")
            let service = Name("acme\(number)") ?? "acme"
            // The reply does not reveal the limit.
            let asked = try world.askAsService("data.request", request, service: service)
            #expect(asked["result"]?["state"]?.text == "pending")
            world.sleep(.seconds(1))
        }
        try world.passQuestions()
        try world.makeService("other", of: "globex/desk")
        _ = try world.askAsService("data.request", request, service: "other")
        let open = try world.ask("alice", "consent.list")["result"]?["requests"]?.elements
        let services = open?.compactMap { $0["service"]?.text }.sorted()
        #expect(services?.count == 5 && services?.last == "other")
    }

    @Test func `Ending a service ends its consents, and ending a company its services`() throws {
        let world = try world()
        try world.makeService("mysteps")
        for service in ["myheart", "mysteps"] {
            #expect(
                try world.outcome("alice", "service.add", #"{"service":"\#(service)"}"#) == "ok")
        }
        #expect(try world.outcome("acme/desk", "service.delete", ServiceTests.heart) == "ok")
        func consents() throws -> [String] {
            let services = try world.ask("alice", "consent.list")["result"]?["services"]
            return services?.elements.compactMap { $0["service"]?.text } ?? []
        }
        #expect(try consents() == ["mysteps"])
        // The name is never assigned again, not even to the same company.
        #expect(try world.makeService().outcome == "invalid: service is taken")
        #expect(
            try world.outcome(
                "acme/desk", "account.delete", #"{"password":"correct horse acme"}"#) == "ok")
        #expect(try consents().isEmpty)
        try world.restart()
        #expect(try consents().isEmpty)
        // Their actions stay in Alice's log.
        #expect(
            try world.log() == [
                "myheart granted", "mysteps granted", "myheart ended", "mysteps ended",
            ])
        let found = try world.ask("alice", "service.discover")["result"]?["services"]
        #expect(found?.elements.isEmpty == true)
        #expect(try world.outcome("alice", "service.add", ServiceTests.heart) == "unknown-service")
    }

    @Test func `The log is kept for a year, and no longer`() throws {
        let world = try world()
        #expect(try world.outcome("alice", "service.add", ServiceTests.heart) == "ok")
        world.sleep(.seconds(364 * 86_400))
        try world.sweep()
        #expect(try world.log() == ["myheart granted"])
        world.sleep(.seconds(2 * 86_400))
        try world.sweep()
        #expect(try world.log().isEmpty)
        // The consent remains.
        #expect(try world.askAsService("data.get", ServiceTests.alice).outcome == "ok")
    }
}
