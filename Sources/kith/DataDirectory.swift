import Bridge
import Foundation
import Glibc
import Logging

/// The data directory: only what serves creates it, and it is not for everybody.
extension DataOptions {
    /// Creates the directory, accessible only to its owner; takes the rights of everybody from one
    /// that was there, and leaves those of its group: a Mosquitto that runs as another user has them.
    func makeDirectory(_ logger: Logger) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: data, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw Complaint("The data directory \(data) cannot be created.")
        }
        var status = stat()
        guard stat(data, &status) == 0, status.st_mode & 0o007 != 0 else { return }
        guard isOfKith else {
            throw Complaint(
                "The directory \(data) is open to everybody, and what is in it is not Kith's: name a "
                    + "directory of Kith's own with --data or KITH_DATA.")
        }
        guard status.st_mode & S_ISVTX == 0, chmod(data, status.st_mode & 0o7770) == 0 else {
            throw Complaint(
                "The data directory \(data) is open to everybody and cannot be closed by this user: "
                    + "chmod o-rwx \(data), or name another one.")
        }
        logger.warning(
            "Other users of this machine could look into the data directory; that has been corrected."
        )
    }

    /// Whether the directory is empty or has something of Kith's in it.
    private var isOfKith: Bool {
        if DataOptions.signs.contains(where: has) { return true }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: data).isEmpty
        } catch {
            return false
        }
    }

    private static let signs = [
        "kith.db", "kith.yaml", "tokens", "keys", "certificates", "broker", "map.mbtiles",
    ]

    private func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(data)/\(name)")
    }

    /// - Throws: ``Complaint`` if there is no such directory. A command of the operator never
    ///   creates it.
    func requireDirectory() throws {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: data, isDirectory: &isDirectory),
            isDirectory.boolValue
        else { throw DatabaseFiles.noData(in: data) }
    }

    /// The path of the database, for commands that work on one that is there.
    ///
    /// - Throws: ``BridgeError`` if there is none: no command of the operator creates it.
    func databaseThatIsThere() throws -> String {
        try requireDirectory()
        try DatabaseFiles(databasePath).check(mayBegin: false)
        return databasePath
    }
}
