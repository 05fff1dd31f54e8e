import Glibc

/// The socket on which systemd is told how a service does: datagrams of lines `NAME=VALUE`
/// (sd_notify(3)).
final class NotificationSocket: Sendable {
    private let descriptor: Int32
    private let address: sockaddr_un
    private let length: socklen_t

    /// - Parameter name: a path, or the name of an abstract socket, after `@`.
    /// - Returns: nil if there can be no such socket.
    init?(_ name: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
            bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return nil }
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        // Systemd may be slow to read; it is not worth waiting for longer.
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience,
            socklen_t(MemoryLayout<timeval>.size))
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        // The name of an abstract socket is as long as it is said to be; a path ends with a zero.
        length = socklen_t(start + bytes.count + (bytes[0] == 0 ? 0 : 1))
        self.address = address
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// - Returns: whether it could be sent.
    @discardableResult
    func send(_ lines: String...) -> Bool {
        let text = Array(lines.joined(separator: "\n").utf8)
        return withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), address, length)
                    == text.count
            }
        }
    }
}
