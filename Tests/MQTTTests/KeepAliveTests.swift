import Glibc
import MQTT
import TestBroker
import Testing

/// Signs of life of a broker whose answer to a ping is long in coming.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct KeepAliveTests {
    /// Lets the connection live until the library gives it up, or would have done so.
    ///
    /// - Parameter each: with each look.
    private func live(
        isBatched: Bool, _ each: (BusyBroker) -> Void
    ) throws -> (isConnected: Bool, pings: Int) {
        let broker = try BusyBroker()
        var options = ConnectionOptions(port: Int32(broker.port), clientID: "peer")
        options.isBatched = isBatched
        let connection = try Connection(options)
        try connection.connect()
        try broker.accept()
        // The library counts whole seconds: it pings after one, and gives up after another.
        let end = ContinuousClock.now + .seconds(5)
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
    func `A broker that says nothing any more is given up`(isBatched: Bool) throws {
        let end = try live(isBatched: isBatched) { _ in }
        #expect(!end.isConnected)
        #expect(end.pings > 0)
    }

    @Test func `One that goes on sending is not, though its answer to the ping is behind`() throws {
        let end = try live(isBatched: true) { if $0.pings > 0 { $0.send() } }
        #expect(end.isConnected)
        #expect(end.pings > 0)
    }
}

/// Answers the CONNECT, with a keep-alive of a second, and nothing else.
private final class BusyBroker {
    let port: UInt16
    private let listener: Int32
    private var client: Int32 = -1
    private(set) var pings = 0

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 1) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard code else { throw NothingHappened() }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(client)
        close(listener)
    }

    func accept() throws {
        client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else { throw NothingHappened() }
        var part = [UInt8](repeating: 0, count: 1024)
        guard recv(client, &part, part.count, 0) > 0 else { throw NothingHappened() }
        write([0x20, 6, 0, 0, 3, 0x13, 0, 1])
    }

    /// A message on the topic `t`.
    func send() { write([0x30, 5, 0, 1, 0x74, 0, 0x78]) }

    /// Takes what has come, which is nothing but pings.
    func read() {
        var part = [UInt8](repeating: 0, count: 1024)
        let count = recv(client, &part, part.count, Int32(MSG_DONTWAIT))
        if count > 0 { pings += part.prefix(count).count { $0 == 0xC0 } }
    }

    private func write(_ bytes: [UInt8]) {
        _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
