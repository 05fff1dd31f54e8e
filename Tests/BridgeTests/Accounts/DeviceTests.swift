import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// A user's devices: which are logged in, and how they are logged out.
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

    @Test func `The list shows which devices are logged in and which one is asking`() throws {
        let world = try worldWithDevices()
        #expect(try list(world) == ["phone kith in this one", "watch kith in"])
        #expect(try list(world, "carol/watch") == ["phone kith in", "watch kith in this one"])
        try world.restart()
        #expect(try list(world) == ["phone kith in this one", "watch kith in"])
    }

    @Test func `A revoked device loses its token but stays listed`() throws {
        let world = try worldWithDevices()
        #expect(try world.outcome("carol", "device.revoke", #"{"device":"watch"}"#) == "ok")
        #expect(try world.tokenHashes().keys.sorted() == ["phone"])
        #expect(try list(world) == ["phone kith in this one", "watch kith out"])
        try world.restart()
        #expect(try list(world) == ["phone kith in this one", "watch kith out"])
    }

    @Test func `Logging out revokes the device's own token`() throws {
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
    func `Revoking an unknown device is rejected`(_ payload: String, _ words: String) throws {
        let world = try worldWithDevices()
        #expect(try world.outcome("carol", "device.revoke", payload) == words)
    }

    @Test func `A user cannot revoke another user's device`() throws {
        let world = try worldWithDevices()
        try world.addUsers("alice")
        #expect(
            try world.outcome("alice", "device.revoke", #"{"device":"watch"}"#) == "unknown-device")
        #expect(try world.tokenHashes().count == 2)
    }

    @Test func `A token set by the operator is stored for the gate`() throws {
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

    @Test func `Revoking one of two connected devices keeps the user online`() throws {
        let world = try World.withFamily()
        try world.send(world.status("alice/watch", "online"))
        try world.ask("alice", "device.revoke", #"{"device":"watch"}"#)
        try world.pass(.seconds(600))
        #expect(world.state(of: "alice")["online"] == .bool(true))
    }

    @Test func `Revoking the last device takes the user offline a minute later`() throws {
        let world = try World.withFamily()
        try world.ask("alice", "account.logout")
        try world.report(.disconnected(.device("phone", of: "alice")))
        #expect(world.state(of: "alice")["online"] == .bool(true))
        try world.pass(.seconds(59))
        #expect(world.state(of: "alice")["online"] == .bool(true))
        try world.pass(.seconds(2))
        #expect(world.state(of: "alice")["online"] == .bool(false))
    }

    @Test func `A revoked device that reported rarely does not keep its user online`() throws {
        let world = try World.withFamily()
        for _ in 1...5 {
            try world.pass(.seconds(200))
            try world.fix("alice", TestFix(0))
        }
        try world.ask("alice", "account.logout")
        try world.pass(.seconds(61))
        #expect(world.state(of: "alice")["online"] == .bool(false))
    }

    @Test func `A revoked device's retained status is cleared`() throws {
        let world = try worldWithDevices()
        try world.ask("carol", "device.revoke", #"{"device":"watch"}"#)
        let cleared = world.published().filter { $0.retain && $0.payload.isEmpty }
        #expect(cleared.map(\.topic) == ["kith/users/carol/devices/watch/status"])
    }
}
