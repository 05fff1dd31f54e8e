import Glibc
import TestBroker
import TestSupport

/// The socket of a broker that sends one client what a test wants.
final class ScriptedBroker {
    let port: UInt16
    private let listener: Int32
    private var client: Int32 = -1

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

    /// - Parameter answer: to the CONNECT.
    func accept(_ answer: [UInt8]) throws {
        client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else { throw NothingHappened() }
        _ = try read()
        write(answer)
    }

    /// Waits for some bytes.
    func read() throws -> [UInt8] {
        let bytes = receive()
        guard !bytes.isEmpty else { throw NothingHappened() }
        return bytes
    }

    /// - Parameter flags: `MSG_DONTWAIT` for what has arrived by now.
    func receive(_ flags: Int32 = 0) -> [UInt8] {
        var part = [UInt8](repeating: 0, count: 1024)
        let count = recv(client, &part, part.count, flags)
        return Array(part.prefix(max(0, count)))
    }

    func write(_ bytes: [UInt8]) {
        _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
