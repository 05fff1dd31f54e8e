internal import Glibc

/// A lock that makes its holder the only owner of a data directory for as long as this value lives;
/// the kernel releases it when the process ends, however that happens.
final class Ownership: Sendable {
    private let descriptor: Int32

    /// - Returns: nil if another process is the owner.
    init?(of directory: String) throws(BrokerError) {
        let path = directory + "/owner.lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path: path, reason: lastError()) }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return nil }
    }

    deinit { close(descriptor) }
}
