import Glibc
import MQTT
import TestBroker
import TestSupport
import Testing

/// Keep-alive with a broker whose ping reply is late.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct KeepAliveTests {
    /// Runs the connection until the library gives it up, or would have done so.
    ///
    /// - Parameters:
    ///   - limit: the library counts whole seconds: it pings after one, and gives up after another.
    ///   - each: called in each iteration.
    private func live(
        isBatched: Bool, for limit: Duration, _ each: (BusyBroker) -> Void
    ) throws -> (isConnected: Bool, pings: Int) {
        let broker = try BusyBroker()
        var options = ConnectionOptions(port: Int32(broker.port), clientID: "peer")
        options.isBatched = isBatched
        let connection = try Connection(options)
        try connection.connect()
        try broker.accept()
        let end = ContinuousClock.now + limit
        repeat {
            each(broker)
            try connection.wait(atMost: 20)
            _ = connection.receive(atMost: 10_000)
            connection.maintain()
            if connection.isConnected { try connection.release() }
            broker.read()
            usleep(20_000)
        } while connection.fileDescriptor >= 0 && ContinuousClock.now < end
        return (connection.isConnected, broker.pings)
    }

    @Test(arguments: [false, true])
    func `A silent broker is given up`(isBatched: Bool) throws {
        let end = try live(isBatched: isBatched, for: patience) { _ in }
        #expect(!end.isConnected)
        #expect(end.pings > 0)
    }

    @Test func `A broker that keeps sending is not given up while its ping reply is late`() throws {
        let end = try live(isBatched: true, for: .seconds(5)) { if $0.pings > 0 { $0.send() } }
        #expect(end.isConnected)
        #expect(end.pings > 0)
    }
}

/// Answers the CONNECT, with a keep-alive of a second, and nothing else.
private final class BusyBroker {
    private let socket: ScriptedBroker
    private(set) var pings = 0

    init() throws { socket = try ScriptedBroker() }

    var port: UInt16 { socket.port }

    func accept() throws { try socket.accept([0x20, 6, 0, 0, 3, 0x13, 0, 1]) }

    /// A message on the topic `t`.
    func send() { socket.write([0x30, 5, 0, 1, 0x74, 0, 0x78]) }

    /// Reads what has arrived, which is only pings.
    func read() { pings += socket.receive(Int32(MSG_DONTWAIT)).count { $0 == 0xC0 } }
}
