internal import Glibc

/// The broker's listening sockets, from which its connections inherit.
enum Listeners {
    /// Lets the kernel end connections whose other end takes nothing for so long, though it may
    /// be alive: what the broker has for them would wait in its memory, without a bound.
    ///
    /// It is `TCP_USER_TIMEOUT`, `tcp(7)`; it holds for a closed window as well.
    static func endDeafConnections(after patience: Duration) {
        var milliseconds = UInt32(clamping: patience.components.seconds * 1000)
        let size = socklen_t(MemoryLayout<UInt32>.size)
        for descriptor in 0..<highestDescriptor {
            var isListening: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            let code = unsafe getsockopt(
                descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length)
            guard code == 0, isListening != 0 else { continue }
            // Fails for a socket that is not of TCP, which is in nobody's way.
            unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, size)
        }
    }

    /// They are opened at the start, before any client comes.
    private static let highestDescriptor: Int32 = 256
}
