public import Bridge
internal import Contract
internal import Glibc
public import Tracking

extension Backup {
    /// Backs up into a directory, which is created if only itself is missing, and removes the
    /// oldest backups made in this way, and the remains of interrupted ones.
    ///
    /// - Parameter kept: the maximum number of backups afterwards. Other files stay.
    /// - Returns: the path of the new backup.
    public func save(in directory: String, keeping kept: Int, at now: Timestamp)
        throws(BridgeError) -> String
    {
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw BridgeError.system("The directory \(directory) cannot be created")
        }
        for path in Backup.interrupted(in: directory) { WholeFile.removePart(of: path) }
        try checkRoom(in: directory)
        let path = "\(directory)/\(Backup.name(at: now))"
        try save(to: path, replacing: false)
        let own = Disk.names(in: directory).filter(Backup.isName).sorted()
        for name in own.dropLast(max(1, kept)) {
            guard unlink("\(directory)/\(name)") == 0 else {
                throw BridgeError.system(
                    "The backup \(path) was made, but \(name) cannot be removed")
            }
        }
        return path
    }

    /// Checks that twice the room of a backup is free: a full disk would cost more than a missing
    /// backup, and a timer makes backups unattended.
    private func checkRoom(in directory: String) throws(BridgeError) {
        let size = DatabaseFiles(databasePath).size
        guard let free = freeBytes(directory), free < 2 * size else { return }
        throw BridgeError(
            "There is not enough space for a backup in \(directory): it takes \(size >> 20) MB, "
                + "twice that must be free, and \(free >> 20) are free.")
    }

    /// Returns `kith-2026-11-24T031500Z.db`, which sorts by time and is valid on every file system.
    static func name(at time: Timestamp) -> String {
        let second = Timestamp(milliseconds: time.milliseconds / 1000 * 1000)
        return "kith-\(second.rfc3339.replacing(":", with: "").replacing(".000", with: "")).db"
    }

    /// Returns the paths of unfinished backups.
    private static func interrupted(in directory: String) -> Set<String> {
        let begun = Disk.names(in: directory).compactMap { name -> String? in
            guard let rest = name.firstRange(of: ".part") else { return nil }
            let whole = String(name[..<rest.lowerBound])
            return isName(whole) ? "\(directory)/\(whole)" : nil
        }
        return Set(begun)
    }

    static func isName(_ name: String) -> Bool {
        name.wholeMatch(of: /kith-\d{4}-\d\d-\d\dT\d{6}Z\.db/) != nil
    }
}
