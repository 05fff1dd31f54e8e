import Contract
import JSON
import MQTT
import Testing
import Tracking

@testable import Bridge

/// A user's devices: which are logged in, and how that ends.
struct DeviceTests {
    private func worldWithDevices() throws -> World {
        let world = try World()
        try world.register()
        try world.token(device: "phone")
        try world.token(device: "watch")
        _ = world.published()
        return world
    }

    private func list(_ world: World, _ sender: Sender = "carol") throws -> [String] {
        let devices = try world.ask(sender, "device.list")["result"]?["devices"]?.elements ?? []
        return devices.map { device in
            [
                device["device"]?.text, device["kind"]?.text,
                device["loggedIn"] == .bool(true) ? "in" : "out",
                device["current"] == .bool(true) ? "this one" : nil,
            ].compactMap { $0 }.joined(separator: " ")
        }
    }

    @Test func `The list says which are logged in and which one asks`() throws {
        let world = try worldWithDevices()
        #expect(try list(world) == ["phone kith in this one", "watch kith in"])
        #expect(try list(world, "carol/watch") == ["phone kith in", "watch kith in this one"])
        try world.restart()
        #expect(try list(world) == ["phone kith in this one", "watch kith in"])
    }

    @Test func `A revoked device has no token any more, and is still listed`() throws {
        let world = try worldWithDevices()
        #expect(try world.outcome("carol", "device.revoke", #"{"device":"watch"}"#) == "ok")
        #expect(try world.tokenHashes().keys.sorted() == ["phone"])
        #expect(try list(world) == ["phone kith in this one", "watch kith out"])
        try world.restart()
        #expect(try list(world) == ["phone kith in this one", "watch kith out"])
    }

    @Test func `Logging out is revoking oneself`() throws {
        let world = try worldWithDevices()
        #expect(try world.outcome("carol/watch", "account.logout") == "ok")
        #expect(try world.tokenHashes().keys.sorted() == ["phone"])
        #expect(try world.logIn(device: "watch").outcome == "ok")
        #expect(try world.tokenHashes().keys.sorted() == ["phone", "watch"])
    }

    @Test(arguments: [
        (#"{"device":"tablet"}"#, "unknown-device"),
        (#"{"device":"x"}"#, "invalid: device \(notAName)"),
        ("{}", "invalid: device is missing"),
    ])
    func `A device that is not there cannot be revoked`(_ payload: String, _ words: String) throws {
        let world = try worldWithDevices()
        #expect(try world.outcome("carol", "device.revoke", payload) == words)
    }

    @Test func `Nobody revokes a device of somebody else`() throws {
        let world = try worldWithDevices()
        try world.addUsers("alice")
        #expect(
            try world.outcome("alice", "device.revoke", #"{"device":"watch"}"#) == "unknown-device")
        #expect(try world.tokenHashes().count == 2)
    }

    @Test func `The operator's token is the one for the gate`() throws {
        let world = try World()
        try world.addUsers("alice")
        var random = SystemRandomNumberGenerator()
        let token = DeviceToken(user: "alice", device: "phone", using: &random)
        try world.operate(
            .setToken(
                user: "alice", device: "phone", hash: token.hash, speaksOwnTracks: true))
        #expect(try world.tokenHashes(of: "alice") == ["phone": token.hash])
        #expect(try list(world, "alice") == ["phone owntracks in this one"])
    }

    // MARK: Presence

    @Test func `Revoking one of two connected devices takes nobody offline`() throws {
        let world = try World.withFamily()
        try world.send(world.status("alice/watch", "online"))
        try world.ask("alice", "device.revoke", #"{"device":"watch"}"#)
        try world.pass(.seconds(600))
        #expect(world.state(of: "alice")["online"] == .bool(true))
    }

    @Test func `Who revokes the last one goes offline like anybody who went`() throws {
        let world = try World.withFamily()
        try world.ask("alice", "account.logout")
        try world.report(.disconnected(.device("phone", of: "alice")))
        #expect(world.state(of: "alice")["online"] == .bool(true))
        try world.pass(.seconds(59))
        #expect(world.state(of: "alice")["online"] == .bool(true))
        try world.pass(.seconds(2))
        #expect(world.state(of: "alice")["online"] == .bool(false))
    }

    @Test func `A device that reported rarely keeps nobody online when it is gone`() throws {
        let world = try World.withFamily()
        for _ in 1...5 {
            try world.pass(.seconds(200))
            try world.fix("alice", TestFix(0))
        }
        try world.ask("alice", "account.logout")
        try world.pass(.seconds(61))
        #expect(world.state(of: "alice")["online"] == .bool(false))
    }

    @Test func `What the broker keeps of a revoked device's status goes`() throws {
        let world = try worldWithDevices()
        try world.ask("carol", "device.revoke", #"{"device":"watch"}"#)
        let cleared = world.published().filter { $0.retain && $0.payload.isEmpty }
        #expect(cleared.map(\.topic) == ["kith/users/carol/devices/watch/status"])
    }
}
