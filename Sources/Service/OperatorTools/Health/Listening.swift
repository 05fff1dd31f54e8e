internal import Glibc

/// Checks whether a program listens on a port.
public enum Listening {
    /// How long to wait for an answer, in milliseconds.
    private static let patience: Int32 = 2_000

    /// - Parameter host: a name or an address; `0.0.0.0` and `::` are this machine.
    public static func isSomebody(at host: String, _ port: Int) -> Bool {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let name = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
        guard getaddrinfo(name, "\(port)", &hints, &found) == 0, let found else { return false }
        defer { freeaddrinfo(found) }
        return sequence(first: found, next: { $0.pointee.ai_next }).contains { accepts($0.pointee) }
    }

    /// Returns the program of this machine that listens on a port; nil if there is none, or it is
    /// not visible.
    public static func program(on port: Int) -> (name: String, process: String)? {
        ProcessFiles.listener(on: port).map { ($0.program, $0.process) }
    }

    /// Returns whether this machine finds an address for a name.
    public static func isKnown(_ name: String) -> Bool {
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, nil, &found) == 0, let found else { return false }
        freeaddrinfo(found)
        return true
    }

    private static func accepts(_ info: addrinfo) -> Bool {
        let kind = info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(info.ai_family, kind, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        if connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return true }
        guard errno == EINPROGRESS else { return false }
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, patience) == 1 else { return false }
        var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 && code == 0
    }
}
