import Glibc
import MQTT
import TestBroker
import TestSupport
import Testing

/// The broker's answers to subscriptions.
@Suite(.timeLimit(.minutes(1)))
struct SubscriptionTests {
    @Test(arguments: [false, true])
    func `A SUBACK is matched to its subscription by packet identifier`(isBatched: Bool) throws {
        let broker = try ContraryBroker()
        var options = ConnectionOptions(port: Int32(broker.port), clientID: "peer")
        options.isBatched = isBatched
        let connection = try Connection(options)
        try connection.connect()
        try broker.accept()
        var answers: [Connection.SubscriptionID: Bool] = [:]
        var order: [Connection.SubscriptionID] = []
        func look() throws {
            try connection.wait(atMost: 20)
            _ = connection.receive(atMost: 100)
            try connection.release()
            for case .subscribed(let id, let granted) in connection.takeEvents() {
                answers[id] = granted
                order.append(id)
            }
        }
        while !connection.isConnected { try look() }
        let ids = try connection.subscribe(to: ["a", "b", "c"])
        #expect(Set(ids).count == 3)
        try connection.release()
        try broker.answer(3)
        let end = ContinuousClock.now + patience
        while order.count < 3, ContinuousClock.now < end { try look() }
        #expect(order == ids.reversed())
        #expect(answers == [ids[0]: true, ids[1]: false, ids[2]: true])
    }
}

/// Answers the CONNECT, and then the last subscription first. It refuses the filter `b`.
private final class ContraryBroker {
    private let socket: ScriptedBroker

    init() throws { socket = try ScriptedBroker() }

    var port: UInt16 { socket.port }

    func accept() throws { try socket.accept([0x20, 3, 0, 0, 0]) }

    /// Waits for this many subscriptions, each to a one-letter filter, and answers them.
    func answer(_ count: Int) throws {
        // SUBSCRIBE, its length, the identifier, no properties, the filter, the options.
        var bytes: [UInt8] = []
        while bytes.count < count * 9 { bytes += try socket.read() }
        for start in stride(from: 0, to: count * 9, by: 9).reversed() {
            let isRefused = bytes[start + 7] == UInt8(ascii: "b")
            socket.write([0x90, 4, bytes[start + 2], bytes[start + 3], 0, isRefused ? 0x87 : 1])
        }
    }
}
