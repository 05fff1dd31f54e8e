import Contract
import MQTT
import TestBroker
import TestSupport
import Testing

/// A member who has left a group, or whose token was revoked, receives nothing more.
struct RemovalTests {
    @Test(arguments: [QoS.atMostOnce, .atLeastOnce])
    func `An open subscription falls silent when its owner leaves the group`(qos: QoS) async throws
    {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let (alice, bob) = (try gate.enter("alice.phone"), try gate.enter("bob.phone"))
            for peer in [alice, bob] { try peer.listen(to: FamilyTopic.root + "/#", qos: qos) }
            try bridge.publish(FamilyTopic.alice, "before", retain: true)
            try turn([alice, bob]) { alice.messages.count == 1 && bob.messages.count == 1 }

            try gate.town.leave(.family, "bob")
            for number in 0..<50 {
                try bridge.publish(FamilyTopic.alice, "\(number)", retain: true)
            }
            try turn([alice, bob]) { alice.messages.count == 51 }
            try turn([bob], for: .milliseconds(300))
            #expect(bob.payloads == ["before"])
            // With QoS 0 nothing can be queued for him, so there is no need to disconnect him.
            if qos == .atMostOnce { #expect(bob.connection.isConnected) }
            if !bob.connection.isConnected { try bob.connect() }
            #expect(try !bob.subscribe(to: FamilyTopic.alice))
            #expect(bob.payloads.filter { $0 != "before" } == [])
        }
    }

    @Test(arguments: [ConnectionOptions.Version.v311, .v5])
    func `Messages queued for an absent member are not delivered after their removal`(
        version: ConnectionOptions.Version
    ) async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let bob = try gate.client("bob.phone") { options in
                (options.version, options.cleanStart) = (version, false)
                options.sessionExpiry = 3600
            }
            try bob.connect()
            try bob.listen(to: FamilyTopic.root + "/#")
            try bob.listen(to: "kith/users/bob/notices")
            try bob.cutTheLine()
            try bridge.publish(FamilyTopic.alerts, "while a member")
            try bridge.publish("kith/users/bob/notices", "his own")
            try gate.town.leave(.family, "bob")
            try bridge.publish(FamilyTopic.alerts, "afterwards")
            try bob.connect()
            #expect(bob.sessionPresent == true)
            try turn([bob]) { !bob.messages.isEmpty }
            try turn([bob], for: .milliseconds(200))
            #expect(bob.payloads == ["his own"])
        }
    }

    @Test func `A removed member who confirms nothing is disconnected`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let bob = try gate.client("bob.phone") { options in
                (options.cleanStart, options.sessionExpiry) = (false, 3600)
                options.receiveMaximum = 2
            }
            try bob.connect()
            try bob.listen(to: FamilyTopic.root + "/#")
            for number in 1...10 { try bridge.publish(FamilyTopic.alerts, "\(number)") }
            // Two are in flight; eight are queued at the broker until he confirms them.
            try hold(bob) { bob.messages.count >= 2 }
            for _ in 0..<100 { try bob.read() }
            #expect(bob.payloads == ["1", "2"])
            try gate.town.leave(.family, "bob")
            try hold(bob) { !bob.connection.isConnected }
            try bob.connect()
            try turn([bob], for: .milliseconds(200))
            #expect(bob.payloads == [])
        }
    }

    @Test(arguments: [QoS.atMostOnce, .atLeastOnce])
    func `A friend sees nothing from the moment sharing ends`(qos: QoS) async throws {
        try await withGate { gate in
            try gate.settle()
            let topic = "kith/users/alice/location"
            let bridge = try gate.enter("kith:bridge")
            let bob = try gate.enter("bob.phone")
            #expect(try !bob.subscribe(to: topic))
            try gate.town.share("alice", with: "bob")
            try bob.listen(to: topic, qos: qos)
            try bridge.publish(topic, "before", retain: true)
            try turn([bob]) { bob.payloads == ["before"] }
            try gate.town.unshare("alice", with: "bob")
            for number in 0..<20 { try bridge.publish(topic, "\(number)", retain: true) }
            // With QoS 0 nothing can be queued for him.
            if qos == .atLeastOnce { try turn([bob]) { !bob.connection.isConnected } }
            try turn([bob], for: .milliseconds(300))
            #expect(bob.payloads == ["before"])
            #expect(bob.connection.isConnected == (qos == .atMostOnce))
            if !bob.connection.isConnected { try bob.connect() }
            #expect(try !bob.subscribe(to: topic))
            try gate.town.share("alice", with: "bob")
            #expect(try bob.subscribe(to: topic))
            try gate.town.block("alice", by: "bob")
            #expect(try !bob.subscribe(to: topic))
        }
    }

    @Test func `A user who stops sharing stays connected and receives their own location`()
        async throws
    {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let alice = try gate.enter("alice.phone")
            try alice.listen(to: "kith/users/alice/location")
            try gate.town.share("alice", with: "bob")
            try gate.town.unshare("alice", with: "bob")
            try gate.town.share("bob", with: "alice")
            try bridge.publish("kith/users/alice/location", "here")
            try turn([alice]) { !alice.messages.isEmpty }
            try turn([alice], for: .milliseconds(300))
            #expect(alice.connection.isConnected)
            #expect(alice.payloads == ["here"])
        }
    }

    @Test func `No retained message reaches a removed member`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try bridge.publish(FamilyTopic.alice, "retained", retain: true)
            let bob = try gate.enter("bob.phone")
            try gate.town.leave(.family, "bob")
            #expect(try !bob.subscribe(to: FamilyTopic.alice))
            try turn([bob], for: .milliseconds(100))
            #expect(bob.messages.isEmpty)
            // As a member again, he receives it.
            try gate.town.join(.family, "bob")
            #expect(try bob.subscribe(to: FamilyTopic.alice))
            try turn([bob]) { bob.payloads == ["retained"] }
        }
    }

    @Test func `A revoked token ends its connection and is rejected from then on`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let (phone, tablet) = (try gate.enter("alice.phone"), try gate.enter("alice.tablet"))
            for peer in [phone, tablet] { try peer.listen(to: FamilyTopic.root + "/#") }
            try phone.listen(to: "kith/users/alice/devices/phone/replies")
            try gate.town.revoke("alice", "phone")
            try bridge.publish("kith/users/alice/devices/phone/replies", "you are logged out")
            try bridge.publish(FamilyTopic.alerts, "a secret")
            // If it were not disconnected, it would stay connected for longer than `turn` waits.
            try turn([phone, tablet]) {
                !phone.connection.isConnected && !tablet.messages.isEmpty
            }
            #expect(phone.payloads == ["you are logged out"])
            #expect(tablet.connection.isConnected)
            try phone.connect()
            #expect(!phone.connection.isConnected)
            try gate.town.renewToken("alice", "phone")
            try phone.connect()
            #expect(!phone.connection.isConnected, "the old token")
            _ = try gate.enter("alice.phone")
        }
    }

    @Test func `A revoked device publishes nothing more`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try bridge.listenEverywhere()
            let phone = try gate.enter("alice.phone")
            try gate.town.revoke("alice", "phone")
            let answer = try phone.publish("kith/users/alice/devices/phone/fix")
            #expect(answer == .cutOff)
            try bridge.catchUp()
            #expect(bridge.messages.isEmpty)
        }
    }
}
