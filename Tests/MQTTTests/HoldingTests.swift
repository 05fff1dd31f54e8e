import MQTT
import TestBroker
import Testing

/// The guarantee that the bridge relies on: unreleased messages are redelivered.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct HoldingTests {
    let count = 500

    @Test(arguments: [false, true])
    func `Every message held when the connection broke is redelivered`(isBatched: Bool) async throws
    {
        try await withBroker { broker in
            let bridge = try bridge(at: broker, isBatched)
            try publish(at: broker)
            try hold(bridge) { bridge.messages.count == count }
            let held = bridge.payloads
            try bridge.cutTheLine()

            try bridge.connect()
            try turn(bridge) { bridge.messages.count == count }
            #expect(bridge.sessionPresent == true)
            #expect(bridge.payloads == held)
        }
    }

    @Test(arguments: [false, true])
    func `No released message is redelivered`(isBatched: Bool) async throws {
        try await withBroker { broker in
            let bridge = try bridge(at: broker, isBatched)
            try publish(at: broker)
            try hold(bridge) { bridge.messages.count == count }
            // The broker has read every acknowledgement once it answers what came after them.
            try bridge.connection.publish(topic: "marker", payload: [], qos: .atLeastOnce)
            try turn(bridge) { !bridge.confirmations.isEmpty }
            try bridge.cutTheLine()

            try bridge.connect()
            try publish("the last", at: broker)
            try turn(bridge) { bridge.payloads.last == "the last" }
            #expect(bridge.sessionPresent == true)
            #expect(bridge.payloads == ["the last"])
        }
    }

    @Test(arguments: [false, true])
    func `Held messages are redelivered when the connection is discarded`(isBatched: Bool)
        async throws
    {
        try await withBroker { broker in
            do {
                let bridge = try bridge(at: broker, isBatched)
                try publish(at: broker)
                try hold(bridge) { bridge.messages.count == count }
            }
            let successor = try bridge(at: broker, isBatched)
            try turn(successor) { successor.messages.count == count }
            #expect(successor.sessionPresent == true)
        }
    }

    @Test(arguments: [false, true])
    func `Messages published during a hold are sent with the release`(isBatched: Bool) async throws
    {
        try await withBroker { broker in
            let bridge = try bridge(at: broker, isBatched)
            let phone = try Peer("phone", at: broker)
            try phone.connect()
            try phone.subscribe(to: "reply/#")
            try publish(at: broker)
            try hold(bridge) { bridge.messages.count == count }
            try bridge.connection.publish(
                topic: "reply/1", payload: Array("stored".utf8), qos: .atLeastOnce)
            #expect(bridge.connection.wantsWrite)
            try turn(bridge, phone) { !phone.messages.isEmpty && !bridge.confirmations.isEmpty }
            #expect(phone.payloads == ["stored"])
        }
    }

    @Test(arguments: [false, true])
    func `The reply to a connect is reported before the first message is read`(isBatched: Bool)
        async throws
    {
        try await withBroker { broker in
            let bridge = try bridge(at: broker, isBatched)
            try bridge.cutTheLine()
            try publish(at: broker)
            // The library reads as many packets at once as messages of ours are unconfirmed.
            for _ in 1...100 {
                try bridge.connection.publish(topic: "down", payload: [1], qos: .atLeastOnce)
            }
            try bridge.connect()
            #expect(bridge.connection.isConnected)
            #expect(bridge.messages.isEmpty)
            try turn(bridge) { bridge.messages.count == count && bridge.confirmations.count == 100 }
        }
    }

    @Test(arguments: [false, true])
    func `Messages only inspected while subscribing are redelivered`(isBatched: Bool) async throws {
        try await withBroker { broker in
            do { _ = try bridge(at: broker, isBatched) }
            try publish(at: broker)
            for _ in 1...2 {
                var options = ConnectionOptions(port: Int32(broker.port), clientID: "bridge")
                options.cleanStart = false
                options.sessionExpiry = 3600
                options.isBatched = isBatched
                let looking = try Connection(options)
                try looking.open()
                let granted = try looking.subscribe(to: ["up/#"])
                try looking.release()
                var seen = try looking.awaitGrants(of: granted)
                while seen.count < count {
                    try looking.wait(atMost: 10_000)
                    let more = looking.receive(atMost: count)
                    try #require(!more.isEmpty)
                    seen += more
                }
                #expect(seen.count == count)
            }
        }
    }

    private func bridge(at broker: TestBroker, _ isBatched: Bool) throws -> Peer {
        let bridge = try Peer("bridge", at: broker) {
            $0.cleanStart = false
            $0.sessionExpiry = 3600
            $0.isBatched = isBatched
        }
        try bridge.connect()
        try bridge.subscribe(to: "up/#")
        return bridge
    }

    private func publish(at broker: TestBroker) throws {
        let publisher = try Peer("publisher", at: broker)
        try publisher.connect()
        for number in 1...count {
            try publisher.connection.publish(
                topic: "up/x", payload: Array("\(number)".utf8), qos: .atLeastOnce)
        }
        try turn(publisher) { publisher.confirmations.count == count }
    }

    private func publish(_ text: String, at broker: TestBroker) throws {
        let publisher = try Peer("publisher", at: broker)
        try publisher.connect()
        try publisher.connection.publish(
            topic: "up/x", payload: Array(text.utf8), qos: .atLeastOnce)
        try turn(publisher) { !publisher.confirmations.isEmpty }
    }
}
