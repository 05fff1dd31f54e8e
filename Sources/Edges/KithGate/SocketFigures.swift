internal import Gate
internal import Glibc

/// The kernel's figures about a connection: `TCP_INFO`, see `tcp(7)` and `linux/tcp.h`.
struct SocketFigures {
    let forGate: Gatekeeper.Figures
    /// Bytes that the broker has written.
    let written: Int
    /// Bytes that have arrived, whether the broker has read them or not.
    let received: Int

    /// Nil if the socket is not a TCP socket.
    init?(_ descriptor: Int32) {
        var info: InlineArray<24, UInt64> = .init(repeating: 0)
        var length = socklen_t(MemoryLayout<InlineArray<24, UInt64>>.size)
        let code = unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length)
        // `tcpi_bytes_received` is the last field needed.
        guard code == 0, length >= 136 else { return nil }
        let acknowledged = Int(clamping: info[15])
        received = Int(clamping: info[16])
        var unread: Int32 = 0
        var unsent: Int32 = 0
        guard unsafe ioctl(descriptor, UInt(FIONREAD), &unread) == 0,
            unsafe ioctl(descriptor, UInt(TIOCOUTQ), &unsent) == 0
        else { return nil }
        written = acknowledged &+ Int(unsent)
        forGate = Gatekeeper.Figures(
            read: received &- Int(unread), acknowledged: acknowledged, isDrained: unsent == 0)
    }

    /// Whether the kernel has room for more outgoing data.
    static func hasRoom(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLOUT) != 0
    }
}
