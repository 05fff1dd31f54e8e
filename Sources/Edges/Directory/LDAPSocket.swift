internal import Glibc
internal import Numbers

/// Connects to a server by a deadline for all of a name's addresses together, which libldap does
/// not offer.
enum LDAPSocket {
    /// - Returns: a connected non-blocking socket, which the caller closes.
    static func connected(
        to server: DirectoryServer, until deadline: ContinuousClock.Instant
    ) throws(DirectoryError) -> Int32 {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV | AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        // Without a network other than loopback, AI_ADDRCONFIG leaves no address.
        if unsafe getaddrinfo(server.host, "\(server.port)", &hints, &list) != 0 {
            unsafe hints.ai_flags = AI_NUMERICSERV
            guard unsafe getaddrinfo(server.host, "\(server.port)", &hints, &list) == 0 else {
                throw .unresolvable
            }
        }
        defer { unsafe freeaddrinfo(list) }
        var error = DirectoryError.unreachable
        var next = unsafe list
        while let address = unsafe next {
            do throws(DirectoryError) {
                return try unsafe connected(to: address.pointee, until: deadline)
            } catch let failure {
                error = failure
            }
            unsafe next = address.pointee.ai_next
        }
        throw error
    }

    @unsafe private static func connected(
        to address: addrinfo, until deadline: ContinuousClock.Instant
    ) throws(DirectoryError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = unsafe socket(address.ai_family, kind, 0)
        guard descriptor >= 0 else { throw .unreachable }
        let result = unsafe connect(descriptor, address.ai_addr, address.ai_addrlen)
        if result != 0 {
            guard errno == EINPROGRESS else {
                close(descriptor)
                throw .unreachable
            }
            guard isWritable(descriptor, until: deadline) else {
                close(descriptor)
                throw .timedOut
            }
            var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
            guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0, code == 0
            else {
                close(descriptor)
                throw .unreachable
            }
        }
        return descriptor
    }

    private static func isWritable(
        _ descriptor: Int32, until deadline: ContinuousClock.Instant
    ) -> Bool {
        while true {
            let rest = (deadline - .now) / .milliseconds(1)
            guard rest > 0 else { return false }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let count = unsafe poll(&waiting, 1, Int32(clamping: min(rest.rounded(.up), 60_000)))
            if count > 0 { return true }
            if count < 0, errno != EINTR { return false }
        }
    }

    /// Makes the socket non-blocking, even after libldap has set it otherwise for the handshake.
    static func waitForNothing(_ descriptor: Int32) {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    }

    /// Blocks SIGPIPE: libldap writes to its sockets without suppressing it.
    static func blockSignals() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
