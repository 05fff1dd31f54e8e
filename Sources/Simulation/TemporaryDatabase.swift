import Foundation

/// A database file in a directory of its own, in memory if the system has a place for that; it is
/// deleted when this object is.
final class TemporaryDatabase {
    let path: String
    private let directory: URL

    init() throws {
        directory = TemporaryDatabase.base.appendingPathComponent(
            TemporaryDatabase.prefix + UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.appendingPathComponent("kith.db").path
    }

    private static var base: URL {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        return isThere ? memory : FileManager.default.temporaryDirectory
    }

    /// Includes the process id, so that what a killed process leaves can be recognised.
    private static let prefix = "kith-simulation-\(ProcessInfo.processInfo.processIdentifier)-"

    deinit {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            print("The directory \(directory.path) cannot be removed.")
        }
    }
}
