import Contract
import TestSupport
import Testing

@testable import Gate

/// A client that does not accept large packets.
struct PacketMaximumTests {
    private static let notices = "kith/users/alice/notices"
    private static let rejected = "kith/users/alice/devices/phone/rejected"

    /// The fixed header, the lengths, the packet's identifier and that of a subscription.
    private static let overhead = 13

    private func told(_ door: Door) -> [String] {
        door.gatekeeper.takeOrders().compactMap {
            guard case .publish(PacketMaximumTests.rejected, let payload) = $0 else { return nil }
            return String(decoding: payload, as: UTF8.self)
        }
    }

    @Test(arguments: [(0, 11), (118, 11), (119, 12), (16_374, 12), (16_375, 13)])
    func `A packet's length fields grow with it`(payload: Int, overhead: Int) {
        let delivery = Gatekeeper.Delivery(topic: "a", size: payload, qos: 0)
        #expect(delivery.packetSize() == payload + overhead)
        let confirmed = Gatekeeper.Delivery(topic: "a", size: payload, qos: 1)
        #expect(confirmed.packetSize(properties: 200) >= delivery.packetSize() + 203)
    }

    @Test(arguments: [0, 1, 2])
    func `A client with a bound does not get a larger message`(qos: Int) async throws {
        try await withDoor { door in
            let alice = try #require(door.enter("alice.phone", isFive: true, takes: 1_024))
            let fits = 1_024 - Self.overhead - Self.notices.utf8.count
            #expect(door.mayReceive(Self.notices, alice, size: fits, qos: qos))
            #expect(!door.mayReceive(Self.notices, alice, size: fits + 3, qos: qos))
            #expect(door.metric("gate-messages-untaken") == "1")
        }
    }

    @Test func `A client without a bound gets everything`() async throws {
        try await withDoor { door in
            let alice = try #require(door.enter("alice.phone", isFive: true))
            #expect(door.mayReceive(Self.notices, alice, size: 65_536))
        }
    }

    /// A larger message would only take the place of one that fits.
    @Test func `An absent client keeps its last bound`() async throws {
        try await withDoor { door in
            let alice = try #require(
                door.enter("alice.phone", isContinued: true, isFive: true, takes: 1_024))
            door.leave(alice)
            #expect(!door.mayReceive(Self.notices, alice, size: 2_000))
            #expect(door.mayReceive(Self.notices, alice, size: 20))
        }
    }

    @Test func `A resumed session has its new bound`() async throws {
        try await withDoor { door in
            let before = try #require(
                door.enter("alice.phone", isContinued: true, isFive: true, takes: 1_024))
            door.leave(before)
            let alice = try #require(
                door.enter("alice.phone", isContinued: true, isFive: true, takes: 4_096))
            #expect(door.mayReceive(Self.notices, alice, size: 2_000))
            door.leave(alice)
            let without = try #require(door.enter("alice.phone", isContinued: true, isFive: true))
            #expect(door.mayReceive(Self.notices, without, size: 65_536))
        }
    }

    @Test(arguments: [([5, 1], true), ([5, 0], true), ([4, 1], false), ([0, 1, 9], false)])
    func `A resumed session whose first messages are refused is disconnected once`(
        numbers: [Int], isCutOff: Bool
    ) async throws {
        try await withDoor { door in
            let before = try #require(door.enter("alice.phone", isContinued: true, isFive: true))
            door.leave(before)
            let alice = try #require(
                door.enter("alice.phone", isContinued: true, isFive: true, takes: 1_024))
            // A message of QoS 0 takes no place.
            _ = door.mayReceive(Self.notices, alice, qos: 0)
            // Too large, small, too large …
            for (index, number) in numbers.enumerated() {
                let size = index.isMultiple(of: 2) ? 2_000 : 1
                for _ in 0..<number { _ = door.mayReceive(Self.notices, alice, size: size) }
            }
            door.tick()
            #expect(door.cutOffs() == (isCutOff ? ["alice.phone"] : []))
            // Later refusals take no place.
            for _ in 0..<9 { _ = door.mayReceive(Self.notices, alice, size: 2_000) }
            door.tick()
            #expect(door.cutOffs().isEmpty)
        }
    }

    @Test func `A device is notified once per topic of withheld messages, up to a bound`()
        async throws
    {
        try await withDoor {
            $0.limits.untakenTold = 2
        } _: { door in
            let alice = try #require(door.enter("alice.phone", isFive: true, takes: 1_024))
            let topics = [Self.notices, FamilyTopic.alerts, FamilyTopic.alice]
            for topic in topics + topics { _ = door.mayReceive(topic, alice, size: 2_000) }
            let texts = told(door)
            #expect(texts.count == 2)
            #expect(texts.first?.contains("too-large") == true)
            #expect(texts.first?.contains("1024") == true)
        }
    }

    @Test func `A device is not notified of a rejection too large for it`() async throws {
        try await withDoor { door in
            let alice = try #require(door.enter("alice.phone", isFive: true, takes: 100))
            #expect(!door.mayReceive(Self.rejected, alice, size: 200))
            #expect(told(door).isEmpty)
        }
    }

    @Test func `A device subscribing to alerts above its bound is notified immediately`()
        async throws
    {
        try await withDoor { door in
            let small = try #require(door.enter("alice.phone", isFive: true, takes: 512))
            #expect(door.subscribe(Self.notices, by: small))
            #expect(told(door).isEmpty)
            #expect(door.subscribe(FamilyTopic.root + "/#", by: small))
            #expect(told(door).count == 1)
            let enough = try #require(
                door.enter("alice.phone", id: "alice.2", isFive: true, takes: 65_536))
            #expect(door.subscribe(FamilyTopic.root + "/#", by: enough))
            #expect(told(door).isEmpty)
        }
    }

    @Test func `Properties count only for the message that has them`() async throws {
        try await withDoor { door in
            let replies = "kith/users/alice/devices/phone/replies"
            let alice = try #require(door.enter("alice.phone", isFive: true, takes: 1_024))
            door.gatekeeper.noteProperties(203, on: replies)
            #expect(!door.mayReceive(replies, alice, size: 824))
            #expect(door.mayReceive(Self.notices, alice, size: 824))
            let bridge = try #require(door.enter("kith:bridge", id: "kith:bridge.1"))
            #expect(door.publish(replies, by: bridge) == .allowed)
            #expect(door.mayReceive(replies, alice, size: 824))
        }
    }

    @Test func `Only the bridge's connections are known by their numbers`() async throws {
        try await withDoor { door in
            let bridge = try #require(door.enter("kith:bridge", id: "kith:bridge.1"))
            #expect(
                door.gatekeeper.packetMaximum(ofBridge: bridge)
                    == BridgePacketMaximum.announced(by: "kith:bridge.1"))
            let alice = try #require(door.enter("alice.phone"))
            #expect(door.gatekeeper.packetMaximum(ofBridge: alice) == nil)
        }
    }
}
