import Foundation
import Testing

@testable import Bridge

/// A restore that was killed, and the next start of a bridge.
struct InterruptedRestoreTests {
    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func text(_ path: String) throws -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test func `A restore killed during the copy leaves the database and no partial file`() throws {
        let database = try TemporaryDatabase()
        let files = DatabaseFiles(database.path)
        try write("database", database.path)
        try write("half of a back", files.restoring + ".part")
        #expect(try !files.finishRestore())
        #expect(try text(database.path) == "database")
        #expect(try text(files.restoring + ".part") == nil)
    }

    /// The log of the former database moves with it: applied to the other, it would destroy that.
    @Test(arguments: ["nothing", "the log", "the log and the database"])
    func `A restore killed after the copy is completed at the next start`(_ moved: String) throws {
        let database = try TemporaryDatabase()
        let files = DatabaseFiles(database.path)
        try write("backup", files.restoring)
        for (name, suffix) in [("log", "-wal"), ("database", "")] {
            try write(name, (moved.contains(name) ? files.former : database.path) + suffix)
        }
        #expect(throws: BridgeError.self) { try files.check() }
        #expect(try files.finishRestore())
        #expect(try text(database.path) == "backup")
        #expect(try text(database.path + "-wal") == nil)
        #expect(try text(files.former) == "database" && text(files.former + "-wal") == "log")
        try files.check()
        #expect(try !files.finishRestore())
    }
}
