import Glibc
import TestSupport

/// A socket connected to the broker, for arbitrary bytes.
final class RawSocket {
    let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, size)
            }
        }
        guard code == 0 else { throw Failure(number: errno) }
    }

    deinit { close(descriptor) }

    struct Failure: Error { let number: Int32 }

    /// Sending after the broker has closed the connection is not a failure.
    func send(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            start += count
        }
    }

    /// Reads until `count` bytes have arrived, the broker has closed the connection, or none has
    /// arrived for this time.
    func receive(_ count: Int = 4, within milliseconds: Int32 = 25_000) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, milliseconds) > 0 else { break }
            var part = [UInt8](repeating: 0, count: 4096)
            let read = recv(descriptor, &part, part.count, 0)
            guard read > 0 else { break }
            bytes += part[..<read]
        }
        return bytes
    }

    /// Whether the broker has answered a CONNECT, and admits the client.
    func isLetIn() -> Bool {
        let answer = receive(4)
        return answer.count >= 4 && answer[0] == 0x20 && answer[3] == 0
    }

    /// Whether the broker has closed the connection, whatever it sent before. By default, before the
    /// gate would close it for having sent no CONNECT.
    func isClosed(within milliseconds: Int32 = 15_000) -> Bool {
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, milliseconds) > 0 else { return false }
            if recv(descriptor, &part, part.count, 0) <= 0 { return true }
        }
    }

    /// Closes it without a DISCONNECT.
    func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
