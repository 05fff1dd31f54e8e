import MQTT
import TestBroker
import Testing

/// Waiting for a large backlog.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct WaitingTests {
    private static let bytes: Int32 = 8192
    private static let short: Int32 = 300
    private static let long: Int32 = 30_000

    /// - Returns: whether the connection had something to read before the time was over.
    private func awaits(_ connection: Connection, _ milliseconds: Int32) throws -> Bool {
        var isReady = false
        try Connection.awaiting(WaitingTests.bytes, on: [connection]) { () throws(MQTTError) in
            isReady = try !Connection.wait(for: [connection], atMost: milliseconds).isEmpty
        }
        return isReady
    }

    private func publish(_ count: Int, from sender: Peer) throws {
        let before = sender.confirmations.count
        for _ in 0..<count {
            try sender.connection.publish(
                topic: "t", payload: [UInt8](repeating: 1, count: 100), qos: .atLeastOnce)
        }
        try turn(sender) { sender.confirmations.count == before + count }
    }

    @Test(arguments: [false, true])
    func `A large backlog ends the wait, a small one does not but can be read`(isBatched: Bool)
        async throws
    {
        try await withBroker { broker in
            let sender = try Peer("sender", at: broker)
            let receiver = try Peer("receiver", at: broker) { $0.isBatched = isBatched }
            try sender.connect()
            try receiver.connect()
            try receiver.subscribe(to: "t")
            try publish(1, from: sender)
            #expect(try !awaits(receiver.connection, WaitingTests.short))
            try turn(receiver) { receiver.messages.count == 1 }
            try publish(200, from: sender)
            let start = ContinuousClock.now
            #expect(try awaits(receiver.connection, WaitingTests.long))
            #expect(ContinuousClock.now - start < .milliseconds(WaitingTests.long / 2))
            try turn(receiver) { receiver.messages.count == 201 }
        }
    }
}
