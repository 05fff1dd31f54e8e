import Configuration
import Contract
import Foundation
import TestSupport
import Testing
import Tracking
import Web

@testable import Bridge
@testable import Settings

/// Settings that are reloaded while the bridge runs.
struct SettingsReloadTests {
    @Test func `A new retention of fixes applies from the next turn`() throws {
        let world = try World()
        try world.addUsers("ann")
        let phone: Sender = "ann/phone"
        let twoDays = 2.0 * 86_400
        try world.fix(phone, TestFix(0, ago: twoDays + 1))
        #expect(try world.count("fixes") == 1)
        var settings = world.settings
        settings.limits.retention = .seconds(86_400)
        world.engine.takeOver(settings)
        try world.fix(phone, TestFix(1, ago: twoDays))
        #expect(try world.count("fixes") == 1)
        settings.limits.retention = .seconds(30 * 86_400)
        world.engine.takeOver(settings)
        try world.fix(phone, TestFix(1, ago: twoDays))
        #expect(try world.count("fixes") == 2)
    }

    @Test func `Settings that need a restart stay unchanged`() throws {
        let world = try World()
        var settings = world.settings
        settings.broker.clientID = "kith:bridge.2"
        settings.accounts.passwordCost = 20
        settings.rules.stuckAfter = .seconds(17)
        world.engine.takeOver(settings)
        #expect(world.engine.settings.broker.clientID == "kith:bridge.1")
        #expect(world.engine.settings.accounts.passwordCost == world.settings.accounts.passwordCost)
        #expect(world.engine.settings.rules.stuckAfter == .seconds(17))
    }

    /// The settings with a value for this key other than its default; nil if these are invalid.
    private func settings(_ key: String) -> BridgeSettings? {
        for value in ["77", "2", "true", "false", "closed", "kith:bridge.2", "a@b.example"] {
            let provider = EnvironmentVariablesProvider(
                environmentVariables: [Finding.variable(key): value])
            let config = ConfigReader(provider: provider.prefixKeys(with: "kith"))
            do throws(SettingsError) {
                let settings = try BridgeSettings(config)
                if words(settings) != words(BridgeSettings()) { return settings }
            } catch { continue }
        }
        return nil
    }

    /// All values.
    private func words(_ settings: BridgeSettings) -> [String] {
        var text = ""
        dump(settings, to: &text)
        return text.split(separator: "\n").map(String.init).sorted()
    }

    @Test func `A reload takes over the reloadable keys and no others`() {
        var unset: [String] = []
        for key in BridgeSettings.keys.sorted() {
            guard let new = settings(key) else {
                unset.append(key)
                continue
            }
            let isReloadable = BridgeSettings.reloadableKeys.contains(key)
            var settings = BridgeSettings()
            settings.takeOver(new)
            #expect(words(settings) == words(isReloadable ? new : BridgeSettings()), "\(key)")
        }
        // A file.
        #expect(unset.filter(BridgeSettings.reloadableKeys.contains) == ["emergency.dispatchAreas"])
    }

    @Test func `The table of the configuration lists the keys that are read`() throws {
        let page =
            #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
            .joined(separator: "/") + "/docs/configuration.md"
        let rows = try String(contentsOfFile: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `") }
        let listed = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) }
        }
        let known = BridgeSettings.keys.union(WebSettings.keys).union(LogSettings.keys)
        #expect(listed.sorted() == known.sorted())
    }
}
