import MQTT
import TestBroker
import TestSupport
import Testing

/// Attempts to publish as someone else.
struct ForgeryTests {
    private static let others = [
        "kith/users/alice/devices/phone/fix", "kith/users/alice/devices/phone/vitals",
        "kith/users/alice/devices/phone/status", "kith/users/alice/devices/phone/requests/a",
        "kith/users/alice/devices/phone/replies", "kith/users/alice/devices/phone/stored",
        "kith/users/alice/groups", "kith/users/alice/notices", "kith/users/alice/location",
        "owntracks/alice/phone", "owntracks/alice/phone/event", "owntracks/alice/@bob",
        "owntracks/ALICE/phone", "OwnTracks/alice/phone", "Kith/users/alice/devices/phone/fix",
        "kith/users/Alice/devices/phone/fix", "/kith/users/alice/devices/phone/fix",
        "kith/users/alice/devices/phone/fix/", "kith//users/alice/devices/phone/fix",
        FamilyTopic.alerts, FamilyTopic.alice, FamilyTopic.root + "/chat",
        "kith/guests/visitor/requests/account.login", "kith/guests/visitor/replies",
        "kith/dispatch/incidents/one/answer", "kith/runs/one", "kith/places/one",
        "kith/system/status", "kith/bridge/marker", "kith/bridge/connections",
        "$SYS/broker/uptime", "$CONTROL/dynamic-security/v1", "$share/x/" + FamilyTopic.alerts,
    ]

    @Test func `No client publishes as another user, another device or the service`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try bridge.listenEverywhere()
            let (alice, visitor) = (try gate.enter("alice.phone"), try gate.enter("visitor"))
            try alice.listen(to: "kith/users/alice/devices/phone/#", "kith/users/alice/+")
            try visitor.listen(to: "kith/guests/visitor/replies")
            for who in ["bob.phone", "alice.tablet", "passer", "kith:operator"] {
                let peer = try gate.enter(who)
                for topic in ForgeryTests.others {
                    // Mosquitto accepts topics that begin with $SYS, and discards the message; a
                    // guest who publishes too much is disconnected.
                    let isTaken = try peer.publish(topic) == .accepted
                    #expect(!isTaken || topic.hasPrefix("$"), "\(who) at \(topic)")
                    if !peer.connection.isConnected { try peer.connect() }
                    try peer.connection.publish(topic: topic, payload: [1], qos: .atMostOnce)
                }
                try peer.catchUp()
            }
            for peer in [bridge, alice, visitor] {
                try peer.catchUp()
                #expect(peer.messages.map(\.topic) == [])
            }
        }
    }

    @Test func `A device is notified of refusals a few times a second`() async throws {
        try await withGate { gate in
            try gate.settle()
            let phone = try gate.enter("bob.phone") { $0.version = .v311 }
            try phone.listen(to: "kith/users/bob/devices/phone/rejected")
            let start = ContinuousClock.now
            for _ in 0..<500 {
                try phone.connection.publish(
                    topic: FamilyTopic.alerts, payload: [1], qos: .atMostOnce)
            }
            try turn([phone]) { phone.messages.count >= 50 }
            try phone.catchUp()
            // Fifty at once, and five a second.
            let later = Int((ContinuousClock.now - start) / .seconds(1) * 5)
            #expect((50...51 + later).contains(phone.messages.count))
            #expect(phone.payloads.first?.contains("not-allowed") == true)
            #expect(phone.payloads.first?.contains(FamilyTopic.alerts) == true)
        }
    }

    @Test func `A guest is not another guest whose id looks the same`() async throws {
        try await withGate { gate in
            // One letter with an accent, and a letter followed by a combining accent: equal text in
            // Unicode, but two clients to the broker.
            let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
            let bridge = try gate.enter("kith:bridge")
            try bridge.listen(to: "kith/guests/+/requests/+")
            let victim = try gate.enter(composed)
            #expect(try victim.subscribe(to: "kith/guests/\(composed)/replies"))
            let attacker = try gate.enter(decomposed)
            let forged = "kith/guests/\(composed)/requests/account.login"
            #expect(try victim.publish(forged) == .accepted)
            #expect(try attacker.publish(forged) == .refused)
            let own = "kith/guests/\(decomposed)/requests/account.login"
            #expect(try attacker.publish(own) == .accepted)
            #expect(try attacker.publish(forged) == .refused)
            #expect(try !attacker.subscribe(to: "kith/guests/\(composed)/replies"))
            try bridge.catchUp()
            #expect(bridge.messages.count == 2)
        }
    }

    @Test func `A client that claims to be a broker is checked like all others`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try bridge.listenEverywhere()
            let client = try gate.rawSocket()
            client.send(Packet.connect(Array("visitor".utf8), level: 0x84))
            #expect(client.receive() == [0x20, 2, 0, 0])
            client.send(Packet.subscribe("kith/groups/#"))
            #expect(client.receive(5).last == 0x80)
            client.send(
                Packet.publish(Array("kith/users/alice/devices/phone/fix".utf8)) + Packet.ping)
            _ = client.receive(2)
            try bridge.catchUp()
            #expect(bridge.messages.isEmpty)
        }
    }
}
