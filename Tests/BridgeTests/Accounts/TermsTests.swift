import Contract
import JSON
import MQTT
import Testing
import Tracking

@testable import Bridge

/// The operator's texts, and who has accepted which.
struct TermsTests {
    private func settings(_ version: String?) -> BridgeSettings {
        var settings = BridgeSettings()
        settings.accounts.termsVersion = version
        return settings
    }

    private func terms(_ world: World, _ sender: Sender = "carol") throws -> JSONValue? {
        try world.ask(sender, "account.get")["result"]?["terms"]
    }

    @Test func `Whoever registers accepts the present version, with the time`() throws {
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

    @Test func `Without terms nothing is said of them`() throws {
        let world = try World()
        try world.register()
        try world.token()
        #expect(try terms(world) == nil)
        #expect(
            try world.outcome("carol", "account.accept", #"{"version":"1"}"#)
                == "invalid: version is not the present one")
    }

    @Test func `Whom the operator added, and whoever accepted an earlier one, is asked`() throws {
        let world = try World(settings("2"))
        try world.addUsers("alice")
        #expect(try terms(world, "alice")?["accepted"] == nil)
        #expect(
            try world.outcome("alice", "account.accept", #"{"version":"1"}"#)
                == "invalid: version is not the present one")
        let account = try world.ask("alice", "account.accept", #"{"version":"2"}"#)["result"]
        #expect(account?["terms"]?["accepted"]?["version"]?.text == "2")
        let at = world.now
        // Said twice, it was said the first time.
        world.sleep(.seconds(60))
        #expect(try world.outcome("alice", "account.accept", #"{"version":"2"}"#) == "ok")
        #expect(try terms(world, "alice")?["accepted"]?["at"]?.text == at.rfc3339)
    }

    @Test func `Nothing is refused to whoever has accepted nothing, least of all help`() throws {
        let world = try World(settings("2"))
        try world.addUsers("alice", "bob")
        try world.addGroup("Family", "alice", "bob")
        try world.fix("alice", TestFix(0))
        #expect(try world.outcome("alice", "sos.trigger") == "ok")
        #expect(try world.outcome("alice", "chat.send", #"{"group":"$family","text":"x"}"#) == "ok")
    }

    @Test func `It is exported, and gone with the account`() throws {
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
