internal import Glibc

/// One bridge for each database: the lock is held as long as this lives, and goes with the
/// process, however that ends.
final class BridgeLock {
    private let descriptor: Int32

    /// - Parameter path: of the database; the lock lies beside it.
    /// - Returns: nil where another process holds it.
    init?(besides path: String) throws(BridgeError) {
        descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw BridgeError.system("The lock beside the database cannot be opened")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }
}
