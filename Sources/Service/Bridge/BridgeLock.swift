internal import Glibc

/// Allows one bridge per database: the lock is held as long as this object lives, and is released
/// when the process ends, in whatever way.
///
/// It locks two things. A file beside the database can be removed (as a "stale" lock file) and
/// recreated by the next process; the database's directory cannot, while the database is in it. The
/// database file itself must not be opened here: closing any descriptor of a file releases the
/// locks that SQLite holds on it in this process (https://sqlite.org/howtocorrupt.html, 2.2).
package final class BridgeLock {
    private let descriptors: [Int32]

    /// - Parameter path: the database's path; the lock file is beside it.
    /// - Returns: nil if another process holds the lock.
    package init?(besides path: String) throws(BridgeError) {
        let parent = DatabaseFiles(path).directory
        let places = [
            (parent, O_RDONLY | O_DIRECTORY, "The directory of the database cannot be opened"),
            (
                "\(path).lock", O_RDWR | O_CREAT,
                "The lock file beside the database cannot be opened"
            ),
        ]
        var held: [Int32] = []
        for (place, flags, complaint) in places {
            let descriptor = open(place, flags | O_CLOEXEC, 0o600)
            guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let isTaken = descriptor >= 0 && errno == EWOULDBLOCK
                let error = BridgeError.system(complaint)
                for descriptor in held + [descriptor] where descriptor >= 0 { close(descriptor) }
                if isTaken { return nil }
                throw error
            }
            held.append(descriptor)
        }
        descriptors = held
    }

    /// Writes the holder into the lock file, for `kith status`. The line is omitted if the disk is
    /// full.
    package func note(_ line: String) {
        guard let file = descriptors.last, ftruncate(file, 0) == 0 else { return }
        let bytes = Array("\(line)\n".utf8)
        _ = pwrite(file, bytes, bytes.count, 0)
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}
