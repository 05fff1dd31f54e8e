internal import Dispatch
internal import Glibc
internal import Synchronization

/// Ends a connection at its deadline from outside: libldap waits for a TLS handshake as long as the
/// server likes.
final class SocketDeadline: Sendable {
    /// Our own descriptor of the same socket, which no other code closes.
    private let descriptor: Mutex<Int32>

    init(_ socket: Int32, at deadline: ContinuousClock.Instant) {
        descriptor = Mutex(fcntl(socket, F_DUPFD_CLOEXEC, 0))
        let rest = max(0, (deadline - .now) / .seconds(1))
        DispatchQueue.global().asyncAfter(deadline: .now() + rest) { [weak self] in self?.cut() }
    }

    private func cut() {
        descriptor.withLock { if $0 >= 0 { shutdown($0, Int32(SHUT_RDWR)) } }
    }

    deinit { descriptor.withLock { if $0 >= 0 { close($0) } } }
}
