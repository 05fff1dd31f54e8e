internal import Glibc

/// A TCP connection on which the kernel keeps what is written, for about 200 ms at most or until it
/// fills a packet (`tcp(7)`, TCP_CORK), and drops it if the process is killed (`socket(7)`, SO_LINGER of zero seconds).
enum HeldSocket {
    static func hold(_ descriptor: Int32) {
        set(descriptor, isHeld: true)
    }

    /// Sends what was kept.
    static func release(_ descriptor: Int32) {
        set(descriptor, isHeld: false)
    }

    private static func set(_ descriptor: Int32, isHeld: Bool) {
        // Both fail if the socket is gone, or is not TCP, in which case nothing is left to do.
        var linger = linger(l_onoff: isHeld ? 1 : 0, l_linger: 0)
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        var cork: Int32 = isHeld ? 1 : 0
        unsafe setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_CORK, &cork, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Whether this kernel keeps and drops what is written; tests it on a connection of its own.
    static func isSupported() -> Bool {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer {
            close(listener)
            close(client)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &length) == 0
                    && connect(client, address, length) == 0
            }
        }
        guard isConnected else { return false }
        let accepted = accept(listener, nil, nil)
        guard accepted >= 0 else { return false }
        hold(accepted)
        let sent = unsafe write(accepted, [UInt8(1)], 1)
        var entry = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
        let isKept = unsafe poll(&entry, 1, HeldSocket.trial) == 0
        close(accepted)
        var byte: UInt8 = 0
        // The connection is reset, and the byte is not there.
        return unsafe sent == 1 && isKept && recv(client, &byte, 1, 0) < 0 && errno == ECONNRESET
    }

    /// In milliseconds; far less than the kernel keeps it.
    private static let trial: Int32 = 20
}
