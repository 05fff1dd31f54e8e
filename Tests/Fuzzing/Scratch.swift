import Foundation

/// Files of this process's own, deleted with it.
enum Scratch {
    /// - Returns: where a file of that name can be made.
    static func path(_ name: String) throws -> String {
        try directory.get().appending(path: name).path
    }

    /// - Returns: the path.
    static func write(_ bytes: [UInt8], as name: String) throws -> String {
        let path = try path(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Removes a database, and what SQLite has left beside it.
    static func removeDatabase(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            do { try FileManager.default.removeItem(atPath: path + suffix) } catch {}
        }
    }

    private static let place = FileManager.default.temporaryDirectory
        .appending(path: "kith-fuzz-files-\(ProcessInfo.processInfo.processIdentifier)")

    private static let directory: Result<URL, any Error> = Result { () throws in
        try FileManager.default.createDirectory(
            at: Scratch.place, withIntermediateDirectories: true)
        atexit {
            do { try FileManager.default.removeItem(at: Scratch.place) } catch {}
        }
        return Scratch.place
    }
}
