import Clocks
import Contract
import MQTT
import TestBroker
import TestSupport
import Testing
import Tracking

/// Requests that a device sends with QoS 0.
struct RaisingTests {
    private static let phone = "kith/users/alice/devices/phone"

    private func bridge(_ gate: GatedBroker) throws -> Peer {
        try gate.enter("kith:bridge") {
            $0.version = .v5
            $0.cleanStart = false
            $0.sessionExpiry = 3600
        }
    }

    @Test func `A QoS 0 call waits for an absent bridge, with its properties`() async throws {
        try await withGate { gate in
            try gate.settle()
            let first = try bridge(gate)
            try first.listen(to: "kith/users/+/devices/+/requests/+", "kith/users/+/devices/+/fix")
            try first.leave()
            let phone = try gate.enter("alice.phone", id: "alice.1") { $0.version = .v5 }
            try phone.connection.publish(
                topic: RaisingTests.phone + "/requests/sos.trigger", payload: [0x7B, 0x7D],
                qos: .atMostOnce, correlationData: [1, 2, 3],
                responseTopic: RaisingTests.phone + "/replies/sos")
            // Other QoS 0 messages are still not queued.
            try phone.connection.publish(
                topic: RaisingTests.phone + "/fix", payload: [0x7B, 0x7D], qos: .atMostOnce)
            try phone.catchUp()

            let second = try bridge(gate)
            try turn([second]) { !second.messages.isEmpty }
            try second.catchUp()
            #expect(second.messages.map(\.topic) == [RaisingTests.phone + "/requests/sos.trigger"])
            let call = try #require(second.messages.first)
            #expect(call.payload == [0x7B, 0x7D])
            #expect(call.qos == .atLeastOnce)
            #expect(call.correlationData == [1, 2, 3])
            #expect(call.responseTopic == RaisingTests.phone + "/replies/sos")
        }
    }

    @Test(arguments: [QoS.atMostOnce, .atLeastOnce])
    func `The gate adds the time of arrival to calls for help only`(_ qos: QoS) async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try bridge(gate)
            try bridge.listen(to: "kith/users/+/devices/+/requests/+")
            let phone = try gate.enter("alice.phone", id: "alice.1")
            let before = Timestamp.now
            for method in ["sos.trigger", "group.list"] {
                try phone.connection.publish(
                    topic: RaisingTests.phone + "/requests/" + method, payload: [], qos: qos)
            }
            try phone.catchUp()
            try turn([bridge]) { bridge.messages.count >= 2 }
            let (call, other) = (bridge.messages[0], bridge.messages[1])
            let stamp = try #require(call.lastUserProperty)
            #expect(stamp.name == CallArrival.property)
            let now = Timestamp.now
            #expect(CallArrival.wait(since: stamp.value, until: now) <= now - before)
            #expect(Int64(stamp.value).map { $0 >= before.milliseconds } == true)
            #expect(other.lastUserProperty == nil)
        }
    }

    @Test func `A connected bridge gets a QoS 0 request once, also from MQTT 3.1.1`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try bridge(gate)
            try bridge.listen(to: "kith/users/+/devices/+/requests/+")
            let phone = try gate.enter("alice.phone", id: "alice.1")
            for _ in 1...3 {
                try phone.connection.publish(
                    topic: RaisingTests.phone + "/requests/group.list", payload: [],
                    qos: .atMostOnce)
            }
            try phone.catchUp()
            try turn([bridge]) { bridge.messages.count >= 3 }
            try bridge.catchUp()
            #expect(bridge.messages.map(\.qos) == Array(repeating: .atLeastOnce, count: 3))
            #expect(phone.connection.isConnected)
        }
    }

    @Test func `A QoS 0 request in another user's name is dropped`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try bridge(gate)
            try bridge.listen(to: "kith/users/+/devices/+/requests/+")
            let bob = try gate.enter("bob.phone", id: "bob.1")
            try bob.connection.publish(
                topic: RaisingTests.phone + "/requests/sos.stop", payload: [], qos: .atMostOnce)
            try bob.catchUp()
            try bridge.catchUp()
            #expect(bridge.messages.isEmpty)
        }
    }
}
