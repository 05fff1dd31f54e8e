import Contract
import MQTT
import TestBroker
import Testing

/// The kernel holds acknowledgements until the bridge has committed.
struct HoldTests {
    private static let fix = "kith/users/alice/devices/phone/fix"

    private func bridge(_ gate: GatedBroker) throws -> Peer {
        let bridge = try gate.enter("kith:bridge") { options in
            (options.cleanStart, options.sessionExpiry) = (false, 3600)
        }
        let topics = TopicSpace()
        for input in topics.inputs { try bridge.listen(to: input) }
        for lane in TopicRow.Lane.allCases { try bridge.listen(to: topics.barrier(lane)) }
        return bridge
    }

    private func send(_ payload: String, by phone: Peer) throws {
        try phone.connection.publish(
            topic: HoldTests.fix, payload: Array(payload.utf8), qos: .atLeastOnce)
        try phone.connection.release()
    }

    /// Its socket has to be found first: it publishes as soon as it is connected.
    @Test func `A phone is acknowledged when the bridge has committed`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try bridge(gate)
            let phone = try gate.enter("alice.phone")
            try send("a fix", by: phone)
            try turn([bridge]) { bridge.messages.contains { $0.topic.contains("/barriers/") } }
            let arrived = bridge.messages.map(\.topic)
            #expect(arrived.contains(HoldTests.fix), "the barrier follows the message")
            let barrier = try #require(
                bridge.messages.first { $0.topic.contains("/barriers/") })
            try bridge.connection.publish(
                topic: barrier.topic.replacing("/barriers/", with: "/committed/"),
                payload: barrier.payload)
            try bridge.connection.release()
            try turn([phone, bridge]) { !phone.confirmations.isEmpty }
        }
    }

    @Test func `Without holding, a phone is acknowledged before any commit`() async throws {
        let option = "\nplugin_opt_hold_acknowledgements false\n"
        try await withGate(changing: { $0 + option }) { gate in
            try gate.settle()
            let bridge = try bridge(gate)
            let phone = try gate.enter("alice.phone")
            try send("a fix", by: phone)
            try turn([phone, bridge]) { !phone.confirmations.isEmpty }
            #expect(!bridge.messages.contains { $0.topic.contains("/barriers/") })
        }
    }

    /// After 200 ms the kernel sends by itself, which a busy machine may reach.
    @Test func `A killed broker has not acknowledged what the bridge has not committed`()
        async throws
    {
        var (isTried, attempts) = (false, 0)
        while !isTried, attempts < 20 {
            attempts += 1
            try await withGate { gate in
                try gate.settle()
                let bridge = try bridge(gate)
                let phone = try gate.enter("alice.phone")
                let start = ContinuousClock.now
                try send("a fix", by: phone)
                // The broker sends it after it has written the acknowledgement.
                try turn([bridge]) { bridge.messages.contains { $0.topic.contains("/barriers/") } }
                await gate.broker.kill()
                guard ContinuousClock.now - start < .milliseconds(150) else { return }
                isTried = true
                try turn(phone) { !phone.connection.isConnected }
                #expect(phone.confirmations.isEmpty)
            }
        }
        #expect(isTried, "the machine is too busy")
    }
}
