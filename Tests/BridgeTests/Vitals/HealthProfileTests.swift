import Contract
import JSON
import Sealing
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The health profiles that users fill in.
struct HealthProfileTests {
    private static let full =
        #"{"ssn":"RSS-MRA 85T10","gender":"female","dateOfBirth":"1985-12-10","residence":"Milano"}"#

    @Test func `A health profile needs consent and is changed field by field`() throws {
        let world = try World.withFamily()
        #expect(
            try world.outcome("alice", "health.profile", HealthProfileTests.full) == "no-consent")
        #expect(try world.ask("alice", "health.profile")["result"]?["ssn"] == nil)
        let agreed = #"{"acceptPrivacyStatement":true,"#
        let made = try world.ask(
            "alice", "health.profile", agreed + HealthProfileTests.full.dropFirst())["result"]
        #expect(made?["ssn"]?.text == "RSS-MRA 85T10" && made?["consent"] != nil)
        let changed = try world.ask(
            "alice", "health.profile", #"{"residence":"Lodi","gender":null}"#)["result"]
        #expect(changed?["residence"]?.text == "Lodi" && changed?["gender"] == nil)
        #expect(changed?["dateOfBirth"]?.text == "1985-12-10")
        try world.restart()
        #expect(try world.ask("alice", "health.profile")["result"]?["residence"]?.text == "Lodi")
        #expect(try world.ask("bob", "health.profile")["result"]?["residence"] == nil)
        #expect(try world.outcome("alice", "vitals.withdraw") == "ok")
        #expect(try world.ask("alice", "health.profile")["result"]?["residence"] == nil)
    }

    @Test(arguments: [
        (#""ssn":"12""#, "ssn must have 4 to 32 letters and digits"),
        (#""gender":"x""#, "gender must be female, male or other"),
        (
            #""dateOfBirth":"1985-02-30""#,
            "dateOfBirth must be a day such as 1970-01-31, from 1900 to today"
        ),
        (
            #""dateOfBirth":"2999-01-01""#,
            "dateOfBirth must be a day such as 1970-01-31, from 1900 to today"
        ),
        (
            #""dateOfBirth":"1899-12-31""#,
            "dateOfBirth must be a day such as 1970-01-31, from 1900 to today"
        ),
        (#""residence":"a\nb""#, "residence must be one line of at most 100 characters"),
        (#""acceptPrivacyStatement":false"#, "acceptPrivacyStatement must be true"),
    ])
    func `Invalid profile fields are rejected`(field: String, reason: String) throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", "health.profile", "{\(field)}") == "invalid: \(reason)")
    }

    @Test func `A health profile is encrypted on disk, and its key can be changed`() throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", "vitals.consent") == "ok")
        #expect(try world.outcome("alice", "health.profile", HealthProfileTests.full) == "ok")
        func stored() throws -> (SealingKeys.Sealed, UserID?) {
            let id = try #require(world.engine.memory.person("alice")?.id)
            return try world.store.transaction { transaction in
                let sealed = try transaction.healthProfile(of: id)
                let mark = World.keys?.mark(of: "RSSMRA85T10") ?? []
                let found = try transaction.users(withSSN: [mark], atMost: 2).first
                return (sealed ?? .init(key: 0, bytes: []), found)
            }
        }
        let (sealed, found) = try stored()
        #expect(found == world.engine.memory.person("alice")?.id)
        for text in ["RSS", "Milano", "1985"] { #expect(!sealed.bytes.contains(Array(text.utf8))) }
        var random = SystemRandomNumberGenerator()
        let line = "1 " + String(repeating: "A", count: 43)
        let both = line + "\n" + SealingKeys.newLine(2, using: &random)
        try world.restart(keys: SealingKeys(both))
        try world.sweep()
        let (renewed, old) = try stored()
        #expect(renewed.key == 2 && old == nil)
        #expect(try world.ask("alice", "health.profile")["result"]?["residence"]?.text == "Milano")
    }

    @Test func `A request by social security number reveals nothing before consent`() throws {
        let world = try World.withFamily()
        try world.makeService()
        for who in ["alice", "bob"] {
            #expect(try world.outcome(Sender(who), "vitals.consent") == "ok")
        }
        #expect(try world.outcome("alice", "health.profile", HealthProfileTests.full) == "ok")
        func ask(_ ssn: String) throws -> [String?] {
            let result = try world.askAsService(
                "data.request", #"{"ssn":"\#(ssn)","reason":"To find you."}"#)["result"]
            return [result?["state"]?.text, result?["user"]?.text]
        }
        #expect(try ask("nobody's") == ["pending", nil])
        #expect(try ask("rss mra 85 t10") == ["pending", nil])
        let requests = try world.ask("alice", "consent.list")["result"]?["requests"]?.elements
        #expect(requests?.count == 1)
        #expect(try world.outcome("alice", "service.add", #"{"service":"myheart"}"#) == "ok")
        #expect(try ask("RSSMRA85T10") == ["granted", "alice"])
    }

    @Test func `Two users claiming the same number are both notified and both asked`() throws {
        let world = try World.withFamily()
        try world.makeService()
        for who: Sender in ["alice", "bob"] {
            #expect(try world.outcome(who, "vitals.consent") == "ok")
            #expect(try !world.noticeKinds(of: who).contains("number-claimed"))
            #expect(try world.outcome(who, "health.profile", HealthProfileTests.full) == "ok")
        }
        let fields = #"{"ssn":"RSSMRA85T10","reason":"To find you."}"#
        #expect(
            try world.askAsService("data.request", fields)["result"]?["state"]?.text == "pending")
        try world.passQuestions()
        for who: Sender in ["alice", "bob"] {
            let kinds = try world.noticeKinds(of: who)
            #expect(kinds.contains("consent-requested") && kinds.contains("number-claimed"))
        }
        // A user who refuses is not named; one who agrees is, even if others have the number.
        let requests = try world.ask("bob", "consent.list")["result"]?["requests"]?.elements
        let refusal = #"{"request":"\#(requests?.first?["request"]?.text ?? "")","allow":false}"#
        _ = world.published()
        #expect(try world.outcome("bob", "consent.answer", refusal) == "ok")
        #expect(world.told().isEmpty)
        #expect(try world.outcome("alice", "service.add", #"{"service":"myheart"}"#) == "ok")
        let answer = try world.askAsService("data.request", fields)["result"]
        #expect(answer?["state"]?.text == "granted" && answer?["user"]?.text == "alice")
    }

    @Test func `A user can try only a few numbers a day`() throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", "vitals.consent") == "ok")
        for number in 1...4 {
            let fields = #"{"ssn":"123\#(number)"}"#
            #expect(
                try world.outcome("alice", "health.profile", fields)
                    == (number < 4 ? "ok" : "too-many"))
        }
        // An unchanged number does not count.
        #expect(try world.outcome("alice", "health.profile", #"{"ssn":"1233"}"#) == "ok")
    }
}
