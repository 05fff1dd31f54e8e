import Bridge
import Foundation
import Glibc
import Logging
import Settings
import Store

/// The data directory: only serving commands create it, and it is not public.
extension DataOptions {
    /// Creates the directory, accessible only to its owner; removes all others' rights from an
    /// existing one, and keeps those of its group: a Mosquitto that runs as another user has them.
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
                "The directory \(data) is open to everyone, and its files are not Kith's: name a "
                    + "directory of Kith's own with --data or KITH_DATA.")
        }
        guard status.st_mode & S_ISVTX == 0, chmod(data, status.st_mode & 0o7770) == 0 else {
            throw Complaint(
                "The data directory \(data) is open to everyone and cannot be closed by this user: "
                    + "chmod o-rwx \(data), or specify another one.")
        }
        logger.warning(
            "Other users of this machine could access the data directory; that has been corrected."
        )
    }

    /// Whether the directory is empty or contains Kith's files.
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

    /// - Throws: ``Complaint`` if there is no such directory. An operator's command never creates
    ///   it.
    func requireDirectory() throws {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: data, isDirectory: &isDirectory),
            isDirectory.boolValue
        else { throw DatabaseFiles.noData(in: data) }
    }

    /// Returns the database, for commands that work on an existing one.
    ///
    /// - Throws: ``BridgeError`` if there is none: no operator's command creates it; ``Complaint``
    ///   if the configuration does not say where it is.
    func databaseThatIsThere() async throws -> DatabaseAddress {
        try requireDirectory()
        let address = try await database()
        try address.check(mayBegin: false)
        return address
    }

    func database() async throws -> DatabaseAddress {
        let settings = try await read(isStrict: false) { config throws(SettingsError) in
            try DatabaseSettings(config)
        }
        return DatabaseAddress(databasePath, server: settings.server)
    }
}
