internal import Glibc

/// Whether a program accepts connections, found out within a limited time: libmosquitto waits for as
/// long as the kernel does, which is minutes if the machine does not answer.
public enum Reachability {
    /// - Parameter patience: for each of the host's addresses.
    public static func answers(at host: String, _ port: Int32, within patience: Duration) -> Bool {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return false }
        defer { unsafe freeaddrinfo(list) }
        var next = unsafe list
        while let address = unsafe next {
            if unsafe answers(address.pointee, within: patience) { return true }
            unsafe next = unsafe address.pointee.ai_next
        }
        return false
    }

    private static func answers(_ address: addrinfo, within patience: Duration) -> Bool {
        let type =
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = unsafe socket(address.ai_family, type, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let result = unsafe connect(descriptor, address.ai_addr, address.ai_addrlen)
        guard result != 0 else { return true }
        guard errno == EINPROGRESS else { return false }
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let (seconds, rest) = patience.components
        let milliseconds = Int32(clamping: seconds * 1_000 + rest / 1_000_000_000_000_000)
        guard unsafe poll(&entry, 1, milliseconds) == 1 else { return false }
        var (failure, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        let isKnown = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) == 0
        return isKnown && failure == 0
    }
}
