internal import Glibc

/// A lock that makes its holder the only owner of a data directory for as long as this value lives;
/// the kernel releases it when the process ends, however that happens.
final class Ownership: Sendable {
    private let directory: Int32
    /// The lock file, the only lock of earlier versions; negative if the disk has no room for it.
    private let file: Int32

    /// - Returns: nil if another process is the owner.
    init?(of path: String) throws(BrokerError) {
        directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .file(path: path, reason: lastError()) }
        let lock = path + "/owner.lock"
        file = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let hasRoom = file >= 0 || ![ENOSPC, EDQUOT].contains(errno)
        guard file >= 0 || !hasRoom else { throw .file(path: lock, reason: lastError()) }
        for descriptor in [directory, file]
        where descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return nil }
    }

    /// Tries for half a second: a process that is just being started has copies of its parent's
    /// descriptors, and so of a lock that was released, until it has become another program.
    static func take(_ path: String) async throws(BrokerError) -> Ownership? {
        for _ in 1...10 {
            if let ownership = try Ownership(of: path) { return ownership }
            do { try await Task.sleep(for: .milliseconds(50)) } catch { return nil }
        }
        return nil
    }

    deinit {
        close(directory)
        if file >= 0 { close(file) }
    }
}
