import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The gate's connection reports, combined with the devices' own.
struct ConnectionTests {
    private let alice = ConnectionReport.Party.device("phone", of: "alice")
    private let bob = ConnectionReport.Party.device("phone", of: "bob")

    /// After a little more than a minute of silence.
    private func isOnlineLater(_ user: Name, _ world: World) throws -> Bool {
        try world.pass(.seconds(61))
        return world.state(of: user)["online"] == .bool(true)
    }

    /// A world in which the devices report nothing themselves.
    private func quietWorld() throws -> World {
        let world = try World.withFamily()
        try world.send(world.status("alice", "offline"), world.status("bob", "offline"))
        try world.pass(.seconds(61))
        return world
    }

    @Test func `A connected user stays online until a minute after disconnecting`() throws {
        let world = try quietWorld()
        #expect(world.state(of: "alice")["online"] == .bool(false))
        try world.report(.connected(alice))
        #expect(world.state(of: "alice")["online"] == .bool(true))
        #expect(try isOnlineLater("alice", world))
        try world.report(.disconnected(alice))
        #expect(world.state(of: "alice")["online"] == .bool(true))
        #expect(try !isOnlineLater("alice", world))
    }

    @Test func `A full list disconnects all others`() throws {
        let world = try World.withFamily()
        try world.report(.all([alice], isFirst: true, isLast: true))
        #expect(try isOnlineLater("alice", world))
        #expect(world.state(of: "bob")["online"] == .bool(false))
    }

    @Test func `A gate of another version is a concern until the versions match`() throws {
        let world = try World.withFamily()
        func gate(_ version: String?) throws -> String? {
            try world.report(.all([alice], isFirst: true, isLast: true, gate: version))
            return world.engine.concerns(at: world.now, listeningSince: world.now).otherGate
        }
        #expect(try gate(kithVersionText) == nil)
        #expect(try gate("0.0.9 (old)") == "0.0.9 (old)")
        #expect(try gate(nil) == "an earlier version")
        #expect(try gate(String(repeating: "9", count: 60_000))?.count == 64)
        #expect(try gate(kithVersionText) == nil)
    }

    @Test func `A paged list takes effect when it is complete`() throws {
        let world = try World.withFamily()
        try world.report(.all([bob], isFirst: true, isLast: false))
        #expect(try isOnlineLater("alice", world))
        try world.report(.all([], isFirst: false, isLast: true))
        #expect(try !isOnlineLater("alice", world))
        #expect(world.state(of: "bob")["online"] == .bool(true))
    }

    @Test func `A list without its first page disconnects no one`() throws {
        let world = try World.withFamily()
        try world.report(.all([bob], isFirst: false, isLast: true))
        #expect(try isOnlineLater("alice", world))
    }

    @Test func `Events between the pages of a list are applied`() throws {
        let world = try World.withFamily()
        try world.report(.all([bob], isFirst: true, isLast: false))
        try world.report(.connected(alice))
        try world.report(.disconnected(bob))
        try world.report(.all([], isFirst: false, isLast: true))
        #expect(try isOnlineLater("alice", world))
        #expect(world.state(of: "bob")["online"] == .bool(false))
    }

    @Test func `A broker restart resets the connections`() throws {
        let world = try World.withFamily()
        try world.reconnect()
        try world.report(.all([], isFirst: true, isLast: true))
        #expect(try !isOnlineLater("alice", world))
        #expect(world.state(of: "bob")["online"] == .bool(false))
    }

    // MARK: Devices' own statuses

    @Test func `A retained status does not override the gate`() throws {
        let world = try quietWorld()
        try world.report(.all([bob], isFirst: true, isLast: true))
        try world.reconnect()
        try world.send(world.status("alice", "online", retain: true))
        #expect(world.state(of: "alice")["online"] == .bool(false))
    }

    @Test func `A retained status is ignored while the configured gate has not reported`() throws {
        var settings = BridgeSettings()
        settings.broker.hasGate = true
        let world = try World.withFamily(settings)
        try world.send(world.status("alice", "offline"))
        try world.pass(.seconds(61))
        try world.send(world.status("alice", "online", retain: true))
        #expect(world.state(of: "alice")["online"] == .bool(false))
        try world.send(world.status("alice", "online"))
        #expect(world.state(of: "alice")["online"] == .bool(true))
    }

    @Test func `A retained status counts without a gate`() throws {
        let world = try quietWorld()
        try world.send(world.status("alice", "online", retain: true))
        #expect(world.state(of: "alice")["online"] == .bool(true))
        #expect(try isOnlineLater("alice", world))
    }

    // MARK: Bad input

    @Test func `Reports of unknown devices create no devices`() throws {
        let world = try World.withFamily()
        let devices = try world.count("devices")
        try world.report(.connected(.device("unknown", of: "alice")))
        try world.report(.connected(.device("phone", of: "nobody")))
        try world.report(
            .all([.device("unknown", of: "alice"), alice, bob], isFirst: true, isLast: true))
        #expect(try world.count("devices") == devices)
        #expect(world.state(of: "alice")["online"] == .bool(true))
    }

    @Test(arguments: ["", "x", "{}", #"{"event":"connected"}"#, #"{"event":"all","parties":[7]}"#])
    func `An invalid report is counted and changes nothing`(_ payload: String) throws {
        let world = try World.withFamily()
        #expect(try world.turn([world.message(.connections, payload)]).isEmpty)
        #expect(world.engine.counters.values["rejected"] == 1)
        #expect(try isOnlineLater("alice", world))
    }

    @Test func `The bridge listens to the gate`() {
        let topics = TopicSpace()
        #expect(topics.inputs.contains(topics.string(.connections)))
    }
}
