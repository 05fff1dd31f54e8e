import Foundation
import Store
import Tracking

/// An empty database with the newest schema, in its own directory, in memory if the system offers
/// that; it is deleted with this object.
final class TemporaryDatabase {
    let path: String
    private let directory: URL

    convenience init() throws {
        try self.init(of: TemporaryDatabase.empty.get())
    }

    /// The content of its file. Creating it takes longer than many a turn, and each life needs two.
    private static let empty = Result {
        let database = try TemporaryDatabase(of: nil)
        _ = try Store.open(database.path, at: Timestamp(milliseconds: 0))
        return try Data(contentsOf: URL(fileURLWithPath: database.path))
    }

    /// - Parameter file: nil for none.
    private init(of file: Data?) throws {
        directory = TemporaryDatabase.base.appendingPathComponent(
            TemporaryDatabase.prefix + UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.appendingPathComponent("kith.db").path
        try file?.write(to: URL(fileURLWithPath: path))
    }

    private static var base: URL {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        return isThere ? memory : FileManager.default.temporaryDirectory
    }

    /// Includes the process id, so that the remains of a killed process can be recognised.
    private static let prefix = "kith-simulation-\(ProcessInfo.processInfo.processIdentifier)-"

    deinit {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            print("The directory \(directory.path) cannot be removed.")
        }
    }
}
