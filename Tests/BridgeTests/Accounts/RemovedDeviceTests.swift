import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Device names that their owner removes from the list.
struct RemovedDeviceTests {
    private func world() throws -> World {
        let world = try World()
        try world.register()
        for device in ["phone", "watch", "tablet"] { try world.token(device: device) }
        return world
    }

    private func names(_ world: World) throws -> [String] {
        let devices = try world.ask("carol", "device.list")["result"]?["devices"]?.elements ?? []
        return devices.compactMap { $0["device"]?.text }
    }

    private func remove(_ world: World, _ device: String, as sender: Sender = "carol") throws
        -> String
    {
        try world.outcome(sender, "device.remove", #"{"device":"\#(device)"}"#)
    }

    private func logOut(_ world: World, _ device: String) throws {
        #expect(try world.outcome("carol", "device.revoke", #"{"device":"\#(device)"}"#) == "ok")
    }

    private func exportedFixes(_ world: World) throws -> [String] {
        let items = try world.ask("carol", "account.export")["result"]?["items"]?.elements ?? []
        return items.filter { $0["type"]?.text == "fix" }.compactMap { $0["device"]?.text }
    }

    @Test func `Only a logged-out device can be removed`() throws {
        let world = try world()
        #expect(try remove(world, "watch") == "not-allowed")
        #expect(try remove(world, "phone") == "not-allowed")
        #expect(try remove(world, "radio") == "unknown-device")
        try logOut(world, "watch")
        #expect(try remove(world, "watch") == "ok")
        #expect(try names(world) == ["phone", "tablet"])
        #expect(try remove(world, "watch") == "unknown-device")
        #expect(try world.count("devices") == 2)
        try world.restart()
        #expect(try names(world) == ["phone", "tablet"])
    }

    @Test func `A user cannot remove another user's device`() throws {
        let world = try world()
        try world.addUsers("alice")
        try logOut(world, "watch")
        #expect(try remove(world, "watch", as: "alice") == "unknown-device")
        #expect(try names(world).contains("watch"))
    }

    @Test func `A removed device's fixes stay the user's until they expire`() throws {
        let world = try world()
        try world.fix("carol/watch", TestFix(0))
        world.sleep(.seconds(60))
        try world.fix("carol/watch", TestFix(10))
        try logOut(world, "watch")
        #expect(try remove(world, "watch") == "ok")
        let id = try #require(
            try world.integers("SELECT id FROM devices WHERE removed_at_ms IS NOT NULL").first)
        #expect(try names(world) == ["phone", "tablet"])
        #expect(try exportedFixes(world) == ["removed-\(id)", "removed-\(id)"])
        try world.restart()
        #expect(try names(world) == ["phone", "tablet"])
        #expect(try exportedFixes(world).count == 2)

        world.sleep(.seconds(29 * 86_400))
        try world.sweep()
        #expect(try exportedFixes(world).count == 2)
        world.sleep(.seconds(2 * 86_400))
        try world.sweep()
        #expect(try exportedFixes(world).isEmpty)
        #expect(try world.count("devices", where: "id = \(id)") == 0)
        try world.restart()
        #expect(try names(world) == ["phone", "tablet"])
    }

    @Test func `A removed device's fixes are erased with the account`() throws {
        let world = try world()
        try world.fix("carol/watch", TestFix(0))
        try logOut(world, "watch")
        #expect(try remove(world, "watch") == "ok")
        try world.operate(.removeUser("carol"))
        try world.pass(.seconds(10))
        #expect(try world.count("fixes") == 0)
        #expect(try world.count("devices") == 0)
    }

    @Test func `A removed device's name can be reused by a new device`() throws {
        let world = try world()
        try world.fix("carol/watch", TestFix(0))
        try logOut(world, "watch")
        #expect(try remove(world, "watch") == "ok")
        try world.token(device: "watch")
        #expect(try names(world) == ["phone", "tablet", "watch"])
        try world.fix("carol/watch", TestFix(1))
        #expect(try exportedFixes(world).contains("watch"))
        #expect(try exportedFixes(world).count == 2)
    }

    @Test func `A device named like a removed one causes no conflict`() throws {
        let world = try world()
        try world.fix("carol/watch", TestFix(0))
        let id = try #require(
            try world.integers("SELECT id FROM devices WHERE name = 'watch'").first)
        try world.token(device: "removed-\(id)")
        try logOut(world, "watch")
        #expect(try remove(world, "watch") == "ok")
        #expect(try names(world).contains("removed-\(id)"))
        #expect(try exportedFixes(world) == ["removed-\(id)-1"])
        // The removed one itself can be logged in again under its new name.
        try world.token(device: "removed-\(id)-1")
        #expect(try names(world).contains("removed-\(id)-1"))
        try world.restart()
        #expect(try names(world).contains("removed-\(id)-1"))
    }

    @Test func `Removing a name makes room among the 100 device names`() throws {
        let world = try World()
        try world.register()
        for number in 1...BridgeSettings.maximumDeviceNames {
            try world.token(device: "d\(number)")
            #expect(try world.outcome(Sender("carol/d\(number)"), "account.logout") == "ok")
        }
        #expect(try world.logIn(device: "one-more").outcome == "too-many")
        #expect(try remove(world, "d7", as: "carol/d1") == "ok")
        #expect(try world.logIn(device: "one-more").outcome == "ok")
    }

    @Test func `At most 100 removed devices are kept for their fixes`() throws {
        let world = try World()
        try world.register()
        try world.token()
        for number in 0...BridgeSettings.maximumDeviceNames {
            let device = "d\(number)"
            try world.token(device: device)
            try world.fix(Sender("carol/\(device)"), TestFix(number))
            try logOut(world, device)
            world.sleep(.seconds(5))
            let isLast = number == BridgeSettings.maximumDeviceNames
            #expect(try remove(world, device) == (isLast ? "too-many" : "ok"))
        }
    }
}
