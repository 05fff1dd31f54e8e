internal import Glibc

/// One owner for each data directory, for as long as this value lives; the kernel ends it with the
/// process, however that ends.
final class Ownership: Sendable {
    private let descriptor: Int32

    /// - Returns: nil where somebody else is the owner.
    init?(of directory: String) throws(BrokerError) {
        let path = directory + "/owner.lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path: path, reason: lastError()) }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return nil }
    }

    deinit { close(descriptor) }
}
