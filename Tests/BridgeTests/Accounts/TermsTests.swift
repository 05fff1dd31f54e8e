import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The operator's terms, and who has accepted which.
struct TermsTests {
    private func settings(_ version: String?) -> BridgeSettings {
        var settings = BridgeSettings()
        settings.accounts.termsVersion = version
        return settings
    }

    private func terms(_ world: World, _ sender: Sender = "carol") throws -> JSONValue? {
        try world.ask(sender, "account.get")["result"]?["terms"]
    }

    @Test func `Registration accepts the current version and records the time`() throws {
        let world = try World(settings("2026-05"))
        try world.register()
        let now = world.now
        try world.token()
        world.sleep(.seconds(60))
        let terms = try terms(world)
        #expect(terms?["version"]?.text == "2026-05")
        #expect(terms?["accepted"]?["version"]?.text == "2026-05")
        #expect(terms?["accepted"]?["at"]?.text == now.rfc3339)
    }

    @Test func `The account omits terms when there are none`() throws {
        let world = try World()
        try world.register()
        try world.token()
        #expect(try terms(world) == nil)
        #expect(
            try world.outcome("carol", "account.accept", #"{"version":"1"}"#)
                == "invalid: version is not the current one")
    }

    @Test func `An operator-created user accepts the current version, once`() throws {
        let world = try World(settings("2"))
        try world.addUsers("alice")
        #expect(try terms(world, "alice")?["accepted"] == nil)
        #expect(
            try world.outcome("alice", "account.accept", #"{"version":"1"}"#)
                == "invalid: version is not the current one")
        let account = try world.ask("alice", "account.accept", #"{"version":"2"}"#)["result"]
        #expect(account?["terms"]?["accepted"]?["version"]?.text == "2")
        let at = world.now
        // A repeated acceptance keeps the first time.
        world.sleep(.seconds(60))
        #expect(try world.outcome("alice", "account.accept", #"{"version":"2"}"#) == "ok")
        #expect(try terms(world, "alice")?["accepted"]?["at"]?.text == at.rfc3339)
    }

    @Test func `A user who accepted no terms can still call for help and chat`() throws {
        let world = try World(settings("2"))
        try world.addUsers("alice", "bob")
        try world.addGroup("Family", "alice", "bob")
        try world.fix("alice", TestFix(0))
        #expect(try world.outcome("alice", "sos.trigger") == "ok")
        #expect(try world.outcome("alice", "chat.send", #"{"group":"$family","text":"x"}"#) == "ok")
    }

    @Test func `Accepted terms are exported and deleted with the account`() throws {
        let world = try World(settings("2"))
        try world.register()
        try world.token()
        let items = try world.ask("carol", "account.export")["result"]?["items"]?.elements ?? []
        let account = items.first { $0["type"]?.text == "account" }
        #expect(account?["terms"]?["version"]?.text == "2")
        try world.operate(.removeUser("carol"))
        #expect(try world.count("users", where: "terms_version IS NOT NULL") == 0)
    }
}
