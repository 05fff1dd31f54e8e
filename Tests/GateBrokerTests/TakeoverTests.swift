import MQTT
import TestBroker
import TestSupport
import Testing

/// Client ids are capabilities: a client that connects with one takes over its session.
struct TakeoverTests {
    /// Opens a session of Alice's, to be left waiting or kept connected.
    private func hold(
        _ id: String, _ gate: GatedBroker, version: ConnectionOptions.Version, isClean: Bool
    ) throws -> Peer {
        let alice = try gate.enter("alice.phone", id: id) { options in
            (options.version, options.cleanStart) = (version, isClean)
            options.sessionExpiry = version == .v5 ? 3600 : 0
        }
        try alice.listen(to: FamilyTopic.alerts)
        return alice
    }

    @Test(arguments: ["alice.phone", "alice.", "alice.x.y", "someid"])
    func `No client takes over another user's connected session`(id: String) async throws {
        try await withGate { gate in
            try gate.settle()
            let alice = try hold(id, gate, version: .v5, isClean: true)
            for who in ["bob.phone", "passer", "kith:operator"] {
                for isClean in [true, false] {
                    let thief = try gate.client(who, id: id) { $0.cleanStart = isClean }
                    try thief.connect()
                    #expect(!thief.connection.isConnected, "\(who)")
                }
            }
            let bridge = try gate.enter("kith:bridge")
            try bridge.publish(FamilyTopic.alerts)
            try turn([alice]) { alice.messages.count == 1 }
            #expect(alice.connection.isConnected)
        }
    }

    @Test(arguments: [
        (ConnectionOptions.Version.v311, false), (.v5, false), (.v5, true),
    ])
    func `No client takes over or clears an absent owner's session`(
        version: ConnectionOptions.Version, isClean: Bool
    ) async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let alice = try hold("alice.phone", gate, version: version, isClean: isClean)
            try alice.cutTheLine()
            try bridge.publish(FamilyTopic.alerts, "help")
            // The gate forgets clients that are gone for good after a second.
            try turn([bridge], for: .milliseconds(1300))
            for who in ["bob.phone", "passer"] {
                for isClean in [true, false] {
                    let thief = try gate.client(who, id: "alice.phone") {
                        $0.cleanStart = isClean
                    }
                    try thief.connect()
                    #expect(!thief.connection.isConnected, "\(who)")
                }
            }
            let again = try gate.enter("alice.phone") { options in
                (options.version, options.cleanStart) = (version, false)
            }
            #expect(again.sessionPresent == true)
            try turn([again]) { again.payloads == ["help"] }
        }
    }

    @Test func `No client uses an id that belongs to the service or another user`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            for who in ["bob.phone", "passer", "kith:operator"] {
                for id in [
                    "kith:bridge.1", "kith:bridge.2", "alice.phone", "alice.new", "nobody.phone",
                    "kith:system", "service:myheart.1",
                ] {
                    let thief = try gate.client(who, id: id)
                    try thief.connect()
                    #expect(!thief.connection.isConnected, "\(who) as \(id)")
                }
            }
            try bridge.catchUp()
            #expect(bridge.connection.isConnected)
        }
    }

    @Test func `An owner can take over their own session any number of times`() async throws {
        try await withGate { gate in
            try gate.settle()
            var peers: [Peer] = []
            for who in ["alice.phone", "alice.tablet"] {
                for _ in 0..<40 { peers.append(try gate.enter(who, id: "alice.shared")) }
            }
            let last = peers.removeLast()
            try turn(peers) { peers.allSatisfy { !$0.connection.isConnected } }
            #expect(last.connection.isConnected)
        }
    }

    @Test func `A user has a limited number of connections`() async throws {
        try await withGate { gate in
            try gate.settle()
            let peers = try (0..<32).map { try gate.enter("alice.phone", id: "alice.\($0)") }
            let one = try gate.client("alice.phone", id: "alice.more")
            try one.connect()
            #expect(!one.connection.isConnected)
            // A connection with an id in use replaces the one that has it.
            let same = try gate.client("alice.phone", id: "alice.31")
            try same.connect()
            #expect(same.connection.isConnected)
            try peers[0].leave()
            try one.connect()
            #expect(one.connection.isConnected)
        }
    }

    @Test(arguments: [ConnectionOptions.Version.v311, .v5])
    func `A session persists only under its device's id`(version: ConnectionOptions.Version)
        async throws
    {
        try await withGate { gate in
            try gate.settle()
            for id in ["someid", "alice.phone.2", "alice.tablet", "alicephone"] {
                let alice = try gate.client("alice.phone", id: id) { options in
                    (options.version, options.cleanStart) = (version, false)
                    options.sessionExpiry = version == .v5 ? 3600 : 0
                }
                try alice.connect()
                #expect(!alice.connection.isConnected, "\(id)")
            }
        }
    }

    @Test func `Nothing is queued for a session that MQTT 5 keeps under another id`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let alice = try hold("alice.laptop", gate, version: .v5, isClean: true)
            try alice.cutTheLine()
            for _ in 0..<10 { try bridge.publish(FamilyTopic.alerts) }
            let watch = try gate.enter("kith:bridge", id: "kith:bridge.2")
            try watch.catchUp()
            // With that id only a new session can be opened.
            let again = try gate.enter("alice.phone", id: "alice.laptop")
            try again.catchUp()
            #expect(again.messages.isEmpty)
        }
    }

    @Test func `Guests connect without a session and with an unused id`() async throws {
        try await withGate { gate in
            let guest = try gate.client("visitor") { options in
                (options.version, options.cleanStart) = (.v311, false)
            }
            try guest.connect()
            #expect(!guest.connection.isConnected)
            let first = try gate.enter("visitor")
            let second = try gate.client("visitor")
            try second.connect()
            #expect(!second.connection.isConnected)
            #expect(first.connection.isConnected)
            try first.leave()
            try second.connect()
            #expect(second.connection.isConnected)
        }
    }
}
