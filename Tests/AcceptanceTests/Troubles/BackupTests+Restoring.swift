import Foundation
import GRDB
import TestSupport
import Testing

/// What `kith restore` accepts and refuses.
extension BackupTests {
    /// - Returns: a data directory, its database, and a backup of that.
    private func makeBackup(in directory: String) async throws -> (
        data: String, database: String, file: String
    ) {
        let data = directory + "/data"
        let file = directory + "/out.db"
        try Program.beginData(data)
        #expect(try await kith("user", "add", "ann", data: data).status == 0)
        #expect(try await kith("backup", file, data: data).status == 0)
        return (data, data + "/kith.db", file)
    }

    @Test func `An unsound backup is refused, and the database stays`() async throws {
        try await withTemporaryDirectory { directory in
            let (data, database, file) = try await makeBackup(in: directory)
            let sound = try Data(contentsOf: URL(fileURLWithPath: file))
            let before = try rows(database)
            var holed = sound
            for index in 8192..<12_288 { holed[index] = 0 }
            for bad in [
                sound.prefix(9000), sound.prefix(8192), holed, Data("no database".utf8), Data(),
            ] {
                try bad.write(to: URL(fileURLWithPath: file))
                let ending = try await kith("restore", file, data: data)
                #expect(ending.status == 1 && ending.complaints.count == 1, "\(ending)")
                #expect(try rows(database) == before)
            }
            for sql in ["INSERT INTO migrations VALUES (99, 0)", "DROP TABLE migrations"] {
                try sound.write(to: URL(fileURLWithPath: file))
                try await DatabaseQueue(path: file).write { try $0.execute(sql: sql) }
                #expect(try await kith("restore", file, data: data).status == 1)
                #expect(try rows(database) == before)
            }
            let files = FileManager.default
            try files.copyItem(atPath: file, toPath: directory + "/logged.db")
            try Data("a log".utf8).write(to: URL(fileURLWithPath: directory + "/logged.db-wal"))
            try files.createSymbolicLink(
                atPath: directory + "/link", withDestinationPath: database)
            for (path, words) in [
                ("/none", "No such file"), ("", "is a directory"), ("/data/kith.db", "itself"),
                ("/link", "itself"), ("/logged.db", "incomplete without"),
            ] {
                let ending = try await kith("restore", directory + path, data: data)
                #expect(ending.status == 1 && ending.complaints.count == 1, "\(path): \(ending)")
                #expect(ending.errors.contains(words), "\(path): \(ending)")
                #expect(try rows(database) == before)
            }
            let device = try await kith("restore", "/dev/null", data: data)
            #expect(device.status == 1 && device.errors.contains("is not a file"), "\(device)")
            let left = try FileManager.default.contentsOfDirectory(atPath: data)
            #expect(!left.contains { $0.contains("restor") }, "\(left)")
        }
    }

    @Test func `Nothing is restored while a bridge runs`() async throws {
        try await withInstallation { installation in
            _ = try await installation.family("ann")
            try await installation.start()
            let file = installation.directory + "/out.db"
            try await installation.kith("backup", file)
            let ending = try await kith("restore", file, data: installation.directory)
            #expect(ending.status == 1 && ending.errors.contains("stop it first"), "\(ending)")
        }
    }

    @Test func `Restore names the caller of an SOS that the backup does not have`() async throws {
        try await withInstallation { installation in
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            let file = installation.directory + "/out.db"
            try await installation.kith("backup", file)
            try await installation.done("ann", "sos.trigger")
            await installation.end()
            let ending = try await kith("restore", file, data: installation.directory)
            #expect(ending.status == 0, "\(ending)")
            #expect(ending.output.contains("the backup lacks: ann."), "\(ending)")
        }
    }

    /// The worst moment: the log belongs to a database that is already gone.
    @Test func `An interrupted restore blocks all commands until it is repeated`() async throws {
        try await withTemporaryDirectory { directory in
            let (data, database, file) = try await makeBackup(in: directory)
            #expect(try await kith("user", "add", "ben", data: data).status == 0)
            let files = FileManager.default
            try files.copyItem(atPath: file, toPath: database + ".restoring")
            try Data("a log".utf8).write(
                to: URL(fileURLWithPath: database + ".before-restore-wal"))
            let refused = try await kith("user", "add", "eve", data: data)
            #expect(refused.status == 1 && refused.errors.contains("interrupted"), "\(refused)")
            #expect(try await kith("restore", file, data: data).status == 0)
            #expect(try rows(database) == rows(file))
            #expect(files.fileExists(atPath: database + ".before-restore-wal"))
            #expect(try await kith("user", "list", data: data).line == "ann\tann\t\t-")
        }
    }

    @Test func `A backup of an earlier version is restored, copied and brought up to date`()
        async throws
    {
        let stored = Document.project + "/Tests/Stored/schema-24.sqlite"
        try await withInstallation { installation in
            try await installation.kith("restore", stored)
            try await installation.start()
            let copies = try FileManager.default.contentsOfDirectory(atPath: installation.directory)
                .filter { $0.hasPrefix("kith.db.before-schema-") }
            #expect(copies.count == 1)
            let copy = installation.directory + "/" + (copies.first ?? "")
            #expect(try rows(copy)["migrations"]?.count == 24)
            #expect(try rows(copy)["users"] == rows(stored)["users"])
            #expect(try await installation.kith("user", "list") != "")
            // Back to the version before: its data is there.
            await installation.crash()
            try await installation.kith("restore", copy)
            #expect(try rows(installation.directory + "/kith.db") == rows(stored))
        }
    }
}
