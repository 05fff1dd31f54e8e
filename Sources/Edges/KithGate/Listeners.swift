internal import Glibc

/// The broker's listening sockets, whose options its connections inherit.
enum Listeners {
    /// Makes the kernel close connections whose peer has accepted no data for this long, even if it
    /// is alive: otherwise data for it would accumulate in the broker's memory without bound.
    ///
    /// Sets `TCP_USER_TIMEOUT` (`tcp(7)`), which also applies to a closed window.
    static func endDeafConnections(after patience: Duration) {
        var milliseconds = UInt32(clamping: patience.components.seconds * 1000)
        let size = socklen_t(MemoryLayout<UInt32>.size)
        for descriptor in 0..<highestDescriptor {
            var isListening: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            let code = unsafe getsockopt(
                descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length)
            guard code == 0, isListening != 0 else { continue }
            // Fails for sockets other than TCP, which is harmless.
            unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, size)
        }
    }

    /// Listeners are opened at the start, before any client connects, so their descriptors are low.
    private static let highestDescriptor: Int32 = 256
}
