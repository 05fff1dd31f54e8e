import Foundation
import Glibc
import MQTT
import TestBroker
import TestSupport
import Testing

/// The broker ends, in different ways, and starts again.
struct RestartTests {
    private func persistent(
        _ who: String, _ gate: GatedBroker, id: String? = nil,
        version: ConnectionOptions.Version = .v5
    ) throws -> Peer {
        try gate.client(who, id: id) { options in
            (options.cleanStart, options.sessionExpiry) = (false, 3600)
            options.version = version
        }
    }

    @Test func `Sessions survive a killed broker and get what they may still see`() async throws {
        try await withGate { gate in
            try gate.settle()
            try gate.town.join(.family, "carol")
            let bridge = try persistent("kith:bridge", gate)
            let (alice, bob) = (
                try persistent("alice.phone", gate), try persistent("bob.phone", gate)
            )
            let carol = try persistent("carol.phone", gate, version: .v311)
            try bridge.connect()
            try bridge.listen(to: "kith/users/+/devices/+/fix")
            for peer in [alice, bob, carol] {
                try peer.connect()
                try peer.listen(to: FamilyTopic.root + "/#")
            }
            let speaker = try gate.enter("kith:bridge", id: "kith:bridge.2")
            for peer in [bob, carol] { try peer.cutTheLine() }
            try speaker.publish(FamilyTopic.alerts, "before")
            try turn([alice]) { alice.messages.count == 1 }
            for peer in [alice, bridge] { try peer.cutTheLine() }
            // Its answer comes after the broker has processed what the others sent before.
            try speaker.catchUp()
            try await gate.broker.save()
            await gate.broker.kill()
            try gate.town.leave(.family, "bob")
            try await gate.broker.start()

            // All but the speaker are still away.
            try speaker.connect()
            try speaker.publish(FamilyTopic.alerts, "after")
            let tablet = try gate.enter("alice.tablet")
            try tablet.publish("kith/users/alice/devices/tablet/fix", "for the bridge")
            try gate.town.leave(.family, "carol")
            for peer in [alice, bob, carol, bridge] {
                try peer.connect()
                #expect(peer.sessionPresent == true)
            }
            try turn([alice, bridge]) { !alice.messages.isEmpty && !bridge.messages.isEmpty }
            try turn([bob, carol], for: .milliseconds(100))
            #expect(alice.payloads == ["after"])
            #expect(bridge.payloads == ["for the bridge"])
            #expect(bob.payloads == [])
            #expect(carol.payloads == [])
        }
    }

    @Test(arguments: [ConnectionOptions.Version.v311, .v5])
    func `A call for help waits for its recipient over a restart, despite other clients`(
        version: ConnectionOptions.Version
    ) async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let alice = try persistent("alice.phone", gate, version: version)
            try alice.connect()
            try alice.listen(to: FamilyTopic.alerts)
            try alice.cutTheLine()
            try bridge.publish(FamilyTopic.alerts, "help")
            try bridge.catchUp()
            try await gate.broker.save()
            await gate.broker.kill()
            try await gate.broker.start()
            for who in ["passer", "bob.phone", "carol.phone"] {
                for isClean in [false, true] {
                    let thief = try gate.client(who, id: "alice.phone") { options in
                        (options.version, options.cleanStart) = (version, isClean)
                        options.sessionExpiry = version == .v5 ? 3600 : 0
                    }
                    try thief.connect()
                    #expect(!thief.connection.isConnected, "\(who), clean: \(isClean)")
                }
            }
            try alice.connect()
            #expect(alice.sessionPresent == true)
            try turn([alice]) { alice.payloads == ["help"] }
        }
    }

    @Test func `A user name's new owner gets no queued or retained messages of the former one`()
        async throws
    {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let former = try persistent("carol.phone", gate)
            try former.connect()
            try former.listen(to: "kith/users/carol/notices")
            try former.listen(to: "owntracks/carol/+")
            let answer = try former.publish("owntracks/carol/Phone", "at home", retain: true)
            #expect(answer == .accepted)
            try turn([former]) { former.payloads == ["at home"] }
            try former.cutTheLine()
            try bridge.publish("kith/users/carol/notices", "hers")
            try bridge.catchUp()
            try gate.town.erase("carol")
            try gate.town.add("carol", since: .oneOClock, "phone")
            let carol = try persistent("carol.phone", gate)
            try carol.connect()
            try carol.listen(to: "kith/users/carol/notices")
            try carol.listen(to: "owntracks/carol/+")
            try bridge.publish("kith/users/carol/notices", "hers now")
            try turn([carol]) { !carol.messages.isEmpty }
            try turn([carol], for: .milliseconds(100))
            #expect(carol.payloads == ["hers now"])
        }
    }

    @Test func `A configuration reload leaves the broker working as before`() async throws {
        try await withGate { gate in
            try gate.settle()
            let process = try #require(await gate.broker.processIdentifier)
            let (bridge, alice) = (try gate.enter("kith:bridge"), try gate.enter("alice.phone"))
            try alice.listen(to: FamilyTopic.alerts)
            for _ in 0..<3 {
                kill(process, SIGHUP)
                try turn([alice, bridge], for: .milliseconds(150))
            }
            let bob = try gate.enter("bob.phone")
            try bob.listen(to: FamilyTopic.alerts)
            let carol = try gate.enter("carol.phone")
            #expect(try !carol.subscribe(to: FamilyTopic.alerts))
            try bridge.publish(FamilyTopic.alerts)
            try turn([alice, bob]) { !alice.messages.isEmpty && !bob.messages.isEmpty }
            #expect(alice.connection.isConnected)
        }
    }

    @Test func `The broker shuts down cleanly, however busy it is`() async throws {
        for round in 0..<4 {
            try await withGate { gate in
                try gate.settle()
                let bridge = try gate.enter("kith:bridge")
                try bridge.listen(to: "kith/bridge/connections")
                var peers: [Peer] = []
                for number in 0..<20 where round > 0 {
                    peers.append(
                        try gate.enter("alice.phone", id: "alice.\(number)") { options in
                            options.will = .init(
                                topic: "kith/users/alice/devices/phone/status", payload: [1])
                        })
                }
                if round > 1 { try gate.town.revoke("alice", "phone") }
                await gate.broker.stop()
                let ending = await gate.broker.ending
                #expect(ending.hasSuffix("(exit status 0)"), "\(ending)")
                #expect(try !gate.lines.contains { $0.contains("rror") })
            }
        }
    }
}
