import Glibc

/// A receiver of a service's status, in lines `NAME=VALUE` (sd_notify(3)).
protocol NotificationReceiver: Sendable {
    /// - Returns: whether it could be sent.
    @discardableResult
    func send(_ lines: String...) -> Bool
}

/// The systemd socket, which accepts datagrams.
final class NotificationSocket: NotificationReceiver {
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
        // The name of an abstract socket has the stated length; a path ends with a zero.
        length = socklen_t(start + bytes.count + (bytes[0] == 0 ? 0 : 1))
        self.address = address
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

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

/// The standard output of a part of `kith up`, which its supervisor reads.
struct SupervisorPipe: NotificationReceiver {
    init() {
        // A supervisor that has ended, or does not read, must not end or stop us.
        signal(SIGPIPE, SIG_IGN)
        let flags = fcntl(STDOUT_FILENO, F_GETFL)
        if flags >= 0 { _ = fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK) }
    }

    @discardableResult
    func send(_ lines: String...) -> Bool {
        let text = Array(lines.map { $0 + "\n" }.joined().utf8)
        // A text this short is written whole or not at all (pipe(7)).
        return write(STDOUT_FILENO, text, text.count) == text.count
    }
}
