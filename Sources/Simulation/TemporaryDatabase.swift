import Foundation

/// A database file in a directory of its own, in memory where the system has a place for that;
/// it goes when this does.
final class TemporaryDatabase {
    let path: String
    private let directory: URL

    init() throws {
        var base = URL(fileURLWithPath: "/dev/shm")
        if !FileManager.default.isWritableFile(atPath: base.path) {
            base = FileManager.default.temporaryDirectory
        }
        directory = base.appendingPathComponent("kith-simulation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.appendingPathComponent("kith.db").path
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            print("The directory \(directory.path) cannot be removed.")
        }
    }
}
