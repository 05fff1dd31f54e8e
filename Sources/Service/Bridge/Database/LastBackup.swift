internal import Contract
internal import Glibc
package import Tracking

/// The time of the last backup: the file `last-backup` in the data directory, with the time in one
/// line, for monitoring.
package struct LastBackup {
    private let path: String

    package init(besides databasePath: String) {
        path = DatabaseFiles(databasePath).sibling("last-backup")
    }

    /// Nil if there never was one, or it cannot be read.
    package var time: Timestamp? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: LastBackup.longest)
        let count = read(descriptor, &bytes, bytes.count)
        let line = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
        return Timestamp(rfc3339: String(decoding: line, as: UTF8.self))
    }

    /// Bytes.
    private static let longest = 64

    /// Records a backup. The file gets the database's owner, even if root makes the backups.
    package func note(_ now: Timestamp) throws(BridgeError) {
        let second = Timestamp(milliseconds: now.milliseconds / 1000 * 1000)
        let file = try WholeFile(path, replacing: true)
        defer { file.discard() }
        try file.write(Array("\(second.rfc3339.replacing(".000", with: ""))\n".utf8)[...])
        try file.keep()
        var status = stat()
        if geteuid() == 0, stat(DatabaseFiles(path).directory, &status) == 0 {
            guard chown(path, status.st_uid, status.st_gid) == 0 else {
                throw BridgeError.system("The owner of \(path) cannot be set")
            }
        }
    }
}
