import Foundation
import GRDB
import TestSupport
import Testing

/// `kith backup` and `kith restore` as a person uses them.
@Suite(.timeLimit(.minutes(3)))
struct BackupTests {
    /// More fixes than the phone sends while the backups are made.
    static let count = 10_000

    func kith(_ arguments: String..., data: String) async throws -> Ending {
        try await Program.run(Program.kith, arguments + ["--data", data])
    }

    /// Every row of every table, as text.
    func rows(_ path: String) throws -> [String: [String]] {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration).read { database in
            let tables = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
                    """)
            var found: [String: [String]] = [:]
            for table in tables {
                found[table] = try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"")
                    .map(\.description).sorted()
            }
            return found
        }
    }

    /// Checks that the rows that refer to other rows are consistent with them.
    func expectConsistent(_ path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        try DatabaseQueue(path: path, configuration: configuration).read { database in
            #expect(try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").isEmpty)
            let (count, last) = (
                try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM fixes"),
                try Int.fetchOne(database, sql: "SELECT COALESCE(MAX(seq), 0) FROM fixes")
            )
            #expect(count == last, "the fixes up to some moment, and none after it")
        }
    }

    @Test func `A backup made while fixes arrive is a snapshot of one moment`() async throws {
        try await withTemporaryDirectory { elsewhere in
            try await withInstallation { installation in
                let group = try await installation.family("ann", "ben")
                try await installation.start()
                try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
                let phone = NumberedPhone(
                    of: "ann", token: try await installation.token("ann"), at: installation.port,
                    count: BackupTests.count)
                async let run: Void = phone.run()
                for number in 1...4 {
                    _ = try await eventually("more receipts") {
                        await phone.receipted > number * 300 ? true : nil
                    }
                    let before = await phone.receipted
                    let file = elsewhere + "/\(number).db"
                    try await installation.kith("backup", file)
                    try expectConsistent(file)
                    let stored = try await receipted(file)
                    let after = await phone.sent
                    #expect((before...max(before, after)).contains(stored))
                    if number == 1 { #expect(stored < BackupTests.count, "in the middle") }
                }
                await phone.finish()
                try await run
                // Confirmed messages are removed from the outbox a little later.
                _ = try await eventually("an empty outbox", within: .seconds(100)) {
                    try await waiting(in: installation) == 0 ? true : nil
                }
                try await installation.kith("backup", elsewhere + "/last.db")
                await installation.crash()
                let stored = try await receipted(elsewhere + "/last.db")
                // The phone stops only now, because the fixes that it sends are also stored.
                #expect(await phone.receipted == stored)
                #expect(
                    try rows(elsewhere + "/last.db") == rows(installation.directory + "/kith.db"))
                try await expectRestored(installation, elsewhere, group)
            }
        }
    }

    func receipted(_ path: String) async throws -> Int {
        try await DatabaseQueue(path: path).read { database in
            try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM fixes") ?? 0
        }
    }

    func waiting(in installation: Installation) async throws -> Int? {
        try await installation.database().read {
            try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM outbox")
        }
    }

    /// Restores a backup made while fixes were arriving over a damaged database, and runs a bridge
    /// on it.
    func expectRestored(_ installation: Installation, _ elsewhere: String, _ group: String)
        async throws
    {
        let database = installation.directory + "/kith.db"
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: database))
        let file = elsewhere + "/2.db"
        try await installation.kith("restore", file)
        #expect(try rows(database) == rows(file))
        #expect(
            try String(contentsOfFile: database + ".before-restore", encoding: .utf8) == "damaged")
        try await installation.start()
        // Once a second the gate checks whether it is still the same file.
        let credentials = try await installation.credentials(.device("ben"))
        _ = try await eventually("a gate that reads the new one") {
            try await Program.run(
                "mosquitto_sub", credentials + ["-E", "-t", "kith/users/ben/notices"]
            ).status == 0 ? true : nil
        }
        // Ann's phone has used up its allowance.
        let answer = try await installation.done("ben", "members.get", #"{"group":"\#(group)"}"#)
        #expect(answer["members"].elements.map { $0["user"].text } == ["ann", "ben"])
        let stored = try await receipted(file)
        #expect(
            answer["members"].elements.first?["fix"]["seq"].number
                == (stored == 0 ? nil : Double(stored)))
    }

    @Test func `A backup is owner-only, complete, and replaces a file only if forced`() async throws
    {
        try await withTemporaryDirectory { directory in
            let data = directory + "/data"
            let file = directory + "/out.db"
            #expect(try await kith("backup", file, data: data).status == 1)
            try Program.beginData(data)
            #expect(try await kith("user", "add", "ann", data: data).status == 0)
            #expect(try await kith("backup", file, data: data).status == 0)
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let first = try Data(contentsOf: URL(fileURLWithPath: file))
            #expect(try await kith("user", "add", "ben", data: data).status == 0)
            let refused = try await kith("backup", file, data: data)
            #expect(refused.status == 1 && refused.complaints.count == 1)
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == first)
            #expect(try await kith("backup", file, "--force", data: data).status == 0)
            #expect(try rows(file)["users"]?.count == 2)
            #expect(try await kith("backup", "/dev/full", "--force", data: data).status == 1)
            #expect(try await kith("backup", directory + "/no/x", data: data).status == 1)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
                    == ["data", "out.db"])
        }
    }

    @Test func `A backup without enough room leaves nothing`() async throws {
        try await withTemporaryDirectory { directory in
            let data = directory + "/data"
            try Program.beginData(data)
            #expect(try await kith("user", "add", "ann", data: data).status == 0)
            let ending = try await Program.run(
                "prlimit",
                ["--fsize=20000", Program.kith, "backup", directory + "/out.db", "--data", data])
            #expect(ending.status == 1 && ending.complaints.count == 1, "\(ending)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["data"])
        }
    }

    @Test func `A damaged database is not backed up`() async throws {
        try await withTemporaryDirectory { directory in
            let data = directory + "/data"
            try Program.beginData(data)
            #expect(try await kith("user", "add", "ann", data: data).status == 0)
            let url = URL(fileURLWithPath: data + "/kith.db")
            var bytes = try Data(contentsOf: url)
            for index in (bytes.count / 2)..<bytes.count { bytes[index] = 0x55 }
            try bytes.write(to: url)
            let ending = try await kith("backup", directory + "/out.db", data: data)
            #expect(ending.status == 1 && ending.errors.contains("damaged"), "\(ending)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["data"])
        }
    }

    @Test func `Backups in a directory are named after their time, and the newest are kept`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let (data, kept) = (directory + "/data", directory + "/backups")
            try Program.beginData(data)
            #expect(try await kith("user", "add", "ann", data: data).status == 0)
            let files = FileManager.default
            try files.createDirectory(atPath: kept, withIntermediateDirectories: false)
            for name in [
                "kith-2026-01-01T000000Z.db", "kith-2026-01-02T000000Z.db", "kith-mine.db",
            ] { try Data().write(to: URL(fileURLWithPath: kept + "/" + name)) }
            let ending = try await kith(
                "backup", "--directory", kept, "--keep", "2", data: data)
            #expect(ending.status == 0, "\(ending)")
            #expect(try rows(ending.line)["users"]?.count == 1)
            let name = try #require(ending.line.split(separator: "/").last.map(String.init))
            #expect(name.wholeMatch(of: /kith-\d{4}-\d\d-\d\dT\d{6}Z\.db/) != nil)
            #expect(
                try files.contentsOfDirectory(atPath: kept).sorted()
                    == ["kith-2026-01-02T000000Z.db", name, "kith-mine.db"])
            let attributes = try files.attributesOfItem(atPath: data + "/last-backup")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let noted = try String(contentsOfFile: data + "/last-backup", encoding: .utf8)
            #expect(noted.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n/) != nil)
            #expect(name == "kith-\(noted.trimmed.replacing(":", with: "")).db")
            for wrong in [
                [], ["x", "--directory", kept], ["x", "--keep", "2"],
                ["--directory", kept, "--keep", "0"], ["--directory", kept, "--force"],
            ] {
                let refused = try await Program.run(
                    Program.kith, ["backup"] + wrong + ["--data", data])
                #expect(refused.status == 2, "\(refused)")
            }
        }
    }
}
