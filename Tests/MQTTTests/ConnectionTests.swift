import Foundation
import MQTT
import TestBroker
import TestSupport
import Testing

/// How a connection reacts to the broker.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ConnectionTests {
    @Test(arguments: [false, true])
    func `Every QoS 1 message is confirmed once, a QoS 0 message never`(isBatched: Bool)
        async throws
    {
        try await withBroker { broker in
            let peer = try Peer("peer", at: broker) { $0.isBatched = isBatched }
            try peer.connect()
            var published: [Connection.PublishID] = []
            for _ in 1...3000 {
                try peer.connection.publish(topic: "t/0", payload: [0], qos: .atMostOnce)
                published.append(
                    try peer.connection.publish(topic: "t/1", payload: [1], qos: .atLeastOnce))
            }
            try turn(peer) { peer.confirmations.count >= published.count }
            #expect(peer.confirmations == published)
        }
    }

    @Test(arguments: [false, true])
    func `A read limit holds however much waits or is unconfirmed`(isBatched: Bool) async throws {
        try await withBroker { broker in
            let (sender, receiver) = (
                try Peer("sender", at: broker) { $0.isBatched = isBatched },
                try Peer("receiver", at: broker) { $0.isBatched = isBatched }
            )
            try sender.connect()
            try receiver.connect()
            try receiver.subscribe(to: "t/#")
            for number in 1...1000 {
                try sender.connection.publish(
                    topic: "t/x", payload: Array("\(number)".utf8), qos: .atLeastOnce)
            }
            // Few enough not to fill the library's own socket pair, which would hide the limit.
            for _ in 1...100 {
                try receiver.connection.publish(topic: "u/x", payload: [1], qos: .atLeastOnce)
            }
            try turn(sender) { sender.confirmations.count == 1000 }
            var batches: [Int] = []
            try hold(receiver) {
                let before = receiver.messages.count
                do {
                    try receiver.read(atMost: 7)
                } catch {
                    Issue.record(error)
                }
                batches.append(receiver.messages.count - before)
                return receiver.messages.count == 1000
            }
            #expect(batches.allSatisfy { $0 <= 7 })
            #expect(receiver.payloads == (1...1000).map { "\($0)" })
        }
    }

    @Test(arguments: [false, true])
    func `A wait returns immediately after a read stopped at its limit`(isBatched: Bool)
        async throws
    {
        try await withBroker { broker in
            let peer = try Peer("peer", at: broker) { $0.isBatched = isBatched }
            try peer.connect()
            try peer.subscribe(to: "t/#", ownMessagesToo: true)
            try peer.connection.publish(topic: "t/x", payload: [1])
            try peer.connection.release()
            while peer.messages.isEmpty { try peer.read(atMost: 1) }
            let start = ContinuousClock.now
            try peer.connection.wait(atMost: 30_000)
            #expect(ContinuousClock.now - start < .seconds(20))
        }
    }

    @Test(arguments: [false, true])
    func `A single read returns every waiting message`(isBatched: Bool) async throws {
        try await withBroker { broker in
            let (sender, receiver) = (
                try Peer("sender", at: broker) { $0.isBatched = isBatched },
                try Peer("receiver", at: broker) { $0.isBatched = isBatched }
            )
            try sender.connect()
            try receiver.connect()
            try receiver.subscribe(to: "t/#")
            let payload = [UInt8](repeating: 1, count: 100)
            for _ in 1...400 {
                try sender.connection.publish(topic: "t/x", payload: payload, qos: .atLeastOnce)
            }
            try turn(sender) { sender.confirmations.count == 400 }
            // The broker forwards a message before it confirms it: all 400 wait in our socket.
            #expect(receiver.connection.receive(atMost: 1000).count == 400)
        }
    }

    @Test(arguments: [false, true])
    func `The will is published on a broken connection, not on a disconnect`(isBatched: Bool)
        async throws
    {
        try await withBroker { broker in
            let watcher = try Peer("watcher", at: broker) { $0.isBatched = isBatched }
            try watcher.connect()
            try watcher.subscribe(to: "status/#")
            for (id, breaks) in [("polite", false), ("broken", true)] {
                let peer = try Peer(id, at: broker) {
                    $0.isBatched = isBatched
                    $0.will = .init(topic: "status/\(id)", payload: Array("gone".utf8))
                }
                try peer.connect()
                if breaks {
                    try peer.cutTheLine()
                } else {
                    peer.connection.disconnect()
                    try turn(peer) { !peer.connection.isConnected }
                }
            }
            try turn(watcher) { !watcher.messages.isEmpty }
            #expect(watcher.messages.map(\.topic) == ["status/broken"])
            #expect(watcher.payloads == ["gone"])
        }
    }

    @Test func `Unconfirmed messages are resent after the broker was killed`() async throws {
        try await withBroker { broker in
            let sender = try Peer("sender", at: broker)
            try sender.connect()
            await broker.kill()
            var published: [Connection.PublishID] = []
            for number in 1...100 {
                published.append(
                    try sender.connection.publish(
                        topic: "t/x", payload: Array("\(number)".utf8), qos: .atLeastOnce))
            }
            try turn(sender) { !sender.connection.isConnected }
            #expect(sender.disconnections.count == 1)
            #expect(sender.connection.fileDescriptor == -1)
            published.append(
                try sender.connection.publish(
                    topic: "t/x", payload: Array("offline".utf8), qos: .atLeastOnce))
            #expect(throws: MQTTError.self) { try sender.connection.connect() }

            try await broker.start()
            let receiver = try Peer("receiver", at: broker)
            try receiver.connect()
            try receiver.subscribe(to: "t/#")
            try sender.connect()
            try turn(sender, receiver) {
                sender.confirmations.count == 101 && receiver.messages.count == 101
            }
            #expect(sender.confirmations == published)
            #expect(receiver.payloads == (1...100).map { "\($0)" } + ["offline"])
        }
    }

    @Test func `Connecting fails if nothing listens`() async throws {
        try await withBroker { broker in
            await broker.kill()
            let peer = try Peer("peer", at: broker)
            let error = #expect(throws: MQTTError.self) { try peer.connection.connect() }
            #expect(error?.operation == .connect)
            #expect(error?.reason == "Connection refused")
        }
    }

    @Test(arguments: [ConnectionOptions.Version.v5, .v311])
    func `A refused connect raises an event`(version: ConnectionOptions.Version) async throws {
        let strangersRefused = { (text: String) in
            text.replacing("allow_anonymous true", with: "allow_anonymous false")
        }
        try await withBroker(changing: strangersRefused) { broker in
            let peer = try Peer("peer", at: broker) { $0.version = version }
            try peer.connect()
            try turn(peer) { peer.connection.fileDescriptor == -1 }
            #expect(!peer.connection.isConnected)
            #expect(peer.disconnections.count == 1)
            #expect(peer.disconnections.first?.operation == .connect)
            #expect(peer.disconnections.first?.code == (version == .v5 ? 135 : 5))
        }
    }

    @Test(arguments: [false, true])
    func `Losing the session to a client of the same id raises an event`(isBatched: Bool)
        async throws
    {
        try await withBroker { broker in
            let first = try Peer("twin", at: broker) { $0.isBatched = isBatched }
            try first.connect()
            let second = try Peer("twin", at: broker) { $0.isBatched = isBatched }
            try second.connect()
            try turn(first) { !first.connection.isConnected }
            #expect(first.disconnections.count == 1)
            #expect(second.connection.isConnected)
        }
    }

    @Test(arguments: [false, true])
    func `A message that the broker refuses is counted, not confirmed`(isBatched: Bool)
        async throws
    {
        try await withTemporaryDirectory { directory in
            let rights = directory + "/rights"
            try "topic readwrite allowed/#\n".write(
                toFile: rights, atomically: true, encoding: .utf8)
            try await withBroker(changing: { $0 + "acl_file \(rights)\n" }) { broker in
                let peer = try Peer("peer", at: broker) { $0.isBatched = isBatched }
                try peer.connect()
                try peer.connection.publish(topic: "secret", payload: [1], qos: .atLeastOnce)
                let last = try peer.connection.publish(
                    topic: "allowed/x", payload: [1], qos: .atLeastOnce)
                try turn(peer) { peer.confirmations.contains(last) }
                #expect(peer.confirmations == [last])
                #expect(peer.connection.refusedCount == 1)
            }
        }
    }

    @Test func `A waker ends a wait from another thread`() async throws {
        try await withBroker { broker in
            let peer = try Peer("peer", at: broker)
            try peer.connect()
            try peer.read()  // Nothing waits: now it sleeps.
            let waker = Waker()
            let start = ContinuousClock.now
            // A wake before the wait also counts, so the threads' order doesn't matter.
            let thread = Thread { waker.wake() }
            thread.start()
            try peer.connection.wait(atMost: 30_000, waker: waker)
            #expect(ContinuousClock.now - start < .seconds(20))
        }
    }
}
