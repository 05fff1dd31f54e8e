import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Token expiry, and what is known of their use.
struct TokenAgeTests {
    private func world(_ devices: String...) throws -> World {
        let world = try World()
        try world.register()
        for device in devices { try world.token(device: device) }
        return world
    }

    private func lastSeen(_ world: World, _ device: String, asking: Sender = "carol") throws
        -> String?
    {
        let devices = try world.ask(asking, "device.list")["result"]?["devices"]?.elements ?? []
        return devices.first { $0["device"]?.text == device }?["lastSeen"]?.text
    }

    // MARK: Last seen

    @Test func `A device's last message sets when it was seen, to the hour`() throws {
        let world = try world("phone", "watch")
        #expect(try lastSeen(world, "watch") == nil)
        let first = world.now
        try world.fix("carol/watch", TestFix(0))
        #expect(try lastSeen(world, "watch") == first.rfc3339)
        world.sleep(.seconds(3599))
        try world.fix("carol/watch", TestFix(1))
        #expect(try lastSeen(world, "watch") == first.rfc3339)
        world.sleep(.seconds(1))
        let second = world.now
        try world.fix("carol/watch", TestFix(2))
        #expect(try lastSeen(world, "watch") == second.rfc3339)
        try world.restart()
        #expect(try lastSeen(world, "watch") == second.rfc3339)
    }

    @Test func `A connection alone counts as seen`() throws {
        let world = try world("phone", "watch")
        world.sleep(.seconds(7200))
        let now = world.now
        try world.report(.connected(.device("watch", of: "carol")))
        try world.turn([], .arrivals)
        #expect(try lastSeen(world, "watch") == now.rfc3339)
    }

    @Test func `A clock that was set back is believed`() throws {
        let world = try world("phone", "watch")
        world.sleep(.seconds(86_400))
        try world.fix("carol/watch", TestFix(0))
        world.sleep(.seconds(-7200))
        let now = world.now
        try world.fix("carol/watch", TestFix(1))
        #expect(try lastSeen(world, "watch") == now.rfc3339)
    }

    // MARK: Unused for long

    private static let year = Duration.seconds(365 * 86_400)

    @Test func `A token unused for a year expires, and its owner is notified`() throws {
        let world = try world("phone", "watch")
        try world.fix("carol/watch", TestFix(0))
        world.sleep(TokenAgeTests.year - .seconds(60))
        try world.send(world.status("carol", "online"))
        try world.sweep()
        #expect(try world.tokenHashes().keys.sorted() == ["phone", "watch"])
        world.sleep(.seconds(61))
        try world.sweep()
        #expect(try world.tokenHashes().keys.sorted() == ["phone"])
        let notice = try world.ask("carol", "notice.list")["result"]?["notices"]?.elements.first
        #expect(notice?["kind"]?.text == "logged-out")
        #expect(notice?["device"]?.text == "watch")
        #expect(notice?["why"]?.text == "unused")
    }

    @Test func `No token expires in an SOS or while its device is connected`() throws {
        let world = try world("phone", "watch", "tablet")
        try world.addUsers("bob")
        try world.addGroup("Family", "carol", "bob")
        try world.send(world.status("carol/tablet", "online"))
        #expect(try world.outcome("carol", "sos.trigger") == "ok")
        world.sleep(TokenAgeTests.year * 2)
        try world.sweep()
        #expect(try world.tokenHashes().count == 3)
        #expect(try world.outcome("carol", "sos.stop") == "ok")
        world.sleep(TokenAgeTests.year * 2)
        try world.sweep()
        #expect(try world.tokenHashes().keys.sorted() == ["tablet"])
    }

    @Test func `Tokens never expire when the lifetime is unset`() throws {
        var settings = BridgeSettings()
        settings.accounts.tokenLifetime = nil
        let world = try World(settings)
        try world.register()
        try world.token()
        world.sleep(TokenAgeTests.year * 50)
        try world.sweep()
        #expect(try world.tokenHashes().count == 1)
    }

    @Test func `A token without a time of last use starts its year at the next sweep`() throws {
        let world = try world("phone", "watch")
        let driver = world.store.driver
        try driver.transaction { () throws(StoreError) in
            _ = try driver.execute("UPDATE devices SET unused_since_ms = NULL", [])
        }
        world.sleep(TokenAgeTests.year * 2)
        try world.sweep()
        #expect(try world.tokenHashes().count == 2)
        world.sleep(TokenAgeTests.year + .seconds(1))
        try world.sweep()
        #expect(try world.tokenHashes().isEmpty)
    }

    // MARK: Room for another

    @Test func `The 17th login ends the one unused for longest and reports it`() throws {
        let world = try World()
        try world.register()
        for number in 1...BridgeSettings.maximumDevices {
            let result = try world.logIn(device: "phone\(number)")["result"]
            #expect(result?["ended"] == nil)
            world.sleep(.seconds(7200))
        }
        try world.fix("carol/phone1", TestFix(0))
        // A device that is already logged in needs no room.
        #expect(try world.logIn(device: "phone3")["result"]?["ended"] == nil)
        world.sleep(.seconds(1))
        let result = try world.logIn(device: "one-more")["result"]
        #expect(result?["ended"]?.text == "phone2")
        #expect(try world.tokenHashes().count == BridgeSettings.maximumDevices)
        #expect(try world.tokenHashes()["phone2"] == nil)
        let kinds = try world.noticeKinds(of: "carol/phone1")
        // Both at the same moment.
        #expect(kinds.suffix(2).sorted() == ["logged-out", "new-login"])
    }

    @Test func `A connected device is kept over a disconnected one`() throws {
        let world = try World()
        try world.register()
        for number in 1...BridgeSettings.maximumDevices {
            try world.token(device: "phone\(number)")
            world.sleep(.seconds(1))
        }
        try world.send(world.status("carol/phone1", "online"))
        world.sleep(.seconds(1))
        #expect(try world.logIn(device: "one-more")["result"]?["ended"]?.text == "phone2")
    }

    @Test func `The phone that sends an SOS is never logged out to make room`() throws {
        let world = try World()
        try world.register()
        try world.addUsers("bob")
        try world.addGroup("Family", "carol", "bob")
        for number in 1...BridgeSettings.maximumDevices {
            try world.token(device: "phone\(number)")
            world.sleep(.seconds(1))
        }
        try world.fix("carol/phone1", TestFix(0))
        #expect(try world.outcome("carol/phone2", "sos.trigger") == "ok")
        world.sleep(.seconds(7200))
        for number in 2...BridgeSettings.maximumDevices {
            try world.send(world.status(Sender("carol/phone\(number)"), "online"))
        }
        for number in 1...BridgeSettings.maximumDevices {
            let ended = try world.logIn(device: "other\(number)")["result"]?["ended"]?.text
            #expect(ended != nil && ended != "phone1")
        }
        #expect(try world.tokenHashes()["phone1"] != nil)
    }

    // MARK: Notifications

    @Test func `A login notifies the user, except for the very first one`() throws {
        let world = try world("phone")
        #expect(try world.noticeKinds(of: "carol") == [])
        try world.token(device: "spy")
        let told = try world.ask("carol", "notice.list")["result"]?["notices"]?.elements.first
        #expect(told?["kind"]?.text == "new-login")
        #expect(told?["device"]?.text == "spy")
        // Also under the name of an existing device.
        try world.token(device: "phone")
        #expect(try world.noticeKinds(of: "carol") == ["new-login", "new-login"])
    }
}
