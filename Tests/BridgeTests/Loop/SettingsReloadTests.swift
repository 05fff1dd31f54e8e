import Contract
import Settings
import Testing
import Tracking

@testable import Bridge

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

    @Test func `Each key that needs no restart exists`() {
        for beginning in BridgeSettings.keysInForceAtOnce {
            #expect(BridgeSettings.keys.contains { $0.hasPrefix(beginning) }, "\(beginning)")
        }
    }
}
