import MQTT
import TestBroker
import TestSupport
import Testing

/// Retained messages, and wills.
struct WillTests {
    private func phone(
        _ who: String, _ topic: String, _ gate: GatedBroker, retain: Bool = true,
        version: ConnectionOptions.Version = .v311
    ) throws -> Peer {
        try gate.enter(who) { options in
            options.will = .init(topic: topic, payload: Array("gone".utf8), retain: retain)
            options.version = version
        }
    }

    @Test(arguments: [ConnectionOptions.Version.v311, .v5])
    func `A last will on the device's status is published on a broken connection`(
        version: ConnectionOptions.Version
    ) async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let topic = "kith/users/alice/devices/phone/status"
            try bridge.listen(to: topic)
            let phone = try phone("alice.phone", topic, gate, version: version)
            try phone.cutTheLine()
            try turn([bridge]) { bridge.payloads == ["gone"] }
            // It is retained for later subscribers.
            let late = try gate.enter("alice.phone")
            try late.listen(to: topic)
            try turn([late]) { late.payloads == ["gone"] }
            #expect(late.messages.first?.retain == true)
        }
    }

    @Test func `An OwnTracks last will is published on a broken connection`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try bridge.listen(to: "owntracks/#")
            let phone = try phone("alice.phone", "owntracks/alice/phone", gate, retain: false)
            try phone.cutTheLine()
            try turn([bridge]) { bridge.payloads == ["gone"] }
        }
    }

    @Test func `A delayed will is published when its delay ends`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let topic = "kith/users/alice/devices/phone/status"
            try bridge.listen(to: topic)
            // One session that lasts longer than the delay, and one that does not last.
            for expiry: UInt8 in [60, 0] {
                bridge.forget()
                let client = try gate.rawSocket()
                client.send(
                    Packet.connect(
                        Array("alice.phone".utf8), level: 5, username: Array("alice".utf8),
                        password: Array(try gate.town.token("alice.phone").utf8),
                        will: .init(topic: topic, properties: [0x18, 0, 0, 0, 2]),
                        properties: [0x11, 0, 0, 0, expiry]))
                try #require(client.isLetIn())
                client.cut()
                try turn([bridge]) { bridge.payloads == ["gone"] }
            }
        }
    }

    @Test func `A last will on another party's topic is never published`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try bridge.listenEverywhere()
            let bob = try gate.enter("bob.phone", id: "bob.ears")
            try bob.listen(to: "kith/users/bob/notices")
            for topic in [
                "kith/users/alice/devices/phone/status", "owntracks/alice/phone",
                FamilyTopic.alerts, FamilyTopic.alice, "kith/users/bob/notices", "kith/runs/one",
            ] {
                for who in ["bob.phone", "passer"] {
                    let client = try phone(who, topic, gate)
                    try client.cutTheLine()
                }
            }
            // Nor a retained will on a topic where nothing may be retained.
            let retaining = try phone("bob.phone", "kith/users/bob/devices/phone/fix", gate)
            try retaining.cutTheLine()
            try turn([bridge, bob], for: .milliseconds(150))
            #expect((bridge.messages + bob.messages).map(\.topic) == [])
        }
    }

    @Test func `A refused connection publishes no will`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let topic = "kith/users/alice/devices/phone/status"
            try bridge.listen(to: topic)
            for _ in 0..<20 {
                // Mosquitto gives the newcomer the memory address that Alice's connection just had.
                let alice = try gate.enter("alice.phone")
                try alice.leave()
                let client = try gate.rawSocket()
                client.send(
                    Packet.connect(
                        Array("alice.phone".utf8), username: Array("alice".utf8),
                        password: Array("wrong".utf8), will: .init(topic: topic, retain: true)))
                #expect(client.isClosed())
            }
            try turn([bridge], for: .milliseconds(150))
            #expect(bridge.messages.isEmpty)
        }
    }

    @Test func `Nothing is retained on topics where a device may only publish`() async throws {
        try await withGate { gate in
            try gate.settle()
            let phone = try gate.enter("alice.phone")
            let home = "kith/users/alice/devices/phone/"
            for topic in [home + "fix", home + "requests/a", "owntracks/alice/phone/event"] {
                #expect(try phone.publish(topic, retain: true) == .refused)
                try phone.connection.publish(topic: topic, payload: [1], retain: true)
            }
            // The retain flag is removed from messages of OwnTracks apps, which set it everywhere.
            for device in ["phone", "Phone", "PHONE"] {
                #expect(try phone.publish("owntracks/alice/\(device)", retain: true) == .accepted)
            }
            try phone.catchUp()
            let late = try gate.enter("alice.phone")
            try late.listen(to: home + "#")
            try late.listen(to: "owntracks/alice/#")
            try late.catchUp()
            #expect(late.messages.isEmpty)
        }
    }
}
