internal import Glibc

/// A lock that makes its holder the only owner of a data directory for as long as this value lives;
/// the kernel releases it when the process ends, however that happens.
final class Ownership: Sendable {
    private let descriptor: Int32

    /// - Returns: nil if another process is the owner.
    init?(of directory: String) throws(BrokerError) {
        let path = directory + "/owner.lock"
        var descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        // A full disk has no room for a file, and may be all that is wrong.
        if descriptor < 0, errno == ENOSPC {
            descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw .file(path: path, reason: lastError()) }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return nil }
    }

    deinit { close(descriptor) }
}
