import Foundation
import GRDB
import TestFiles
import TestJSON
import Testing

/// `kith compact` as an operator uses it.
@Suite(.timeLimit(.minutes(3)))
struct CompactTests {
    private func size(_ house: Installation, _ suffix: String = "") throws -> Int {
        let path = house.directory + "/kith.db" + suffix
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    /// Leaves the room of so many rows unused in the database.
    private func deleteMuch(_ house: Installation) throws {
        let database = try DatabaseQueue(path: house.directory + "/kith.db")
        try database.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE numbers (n) AS (
                        SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 40000)
                    INSERT INTO fixes (id, device_id, taken_at_ms, received_at_ms)
                    SELECT n + 1000000, 1, n, n FROM numbers
                    """)
            try database.execute(sql: "DELETE FROM fixes WHERE id > 1000000")
        }
        _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }

    private func users(_ house: Installation) throws -> [String] {
        try house.database().read { try String.fetchAll($0, sql: "SELECT name FROM users") }
    }

    @Test func `It gives room back, but not beside a running bridge`() async throws {
        try await withInstallation { house in
            _ = try await house.family("ann", "ben")
            try await house.start()
            let refused = try await Program.run(
                Program.kith, ["compact", "--data", house.directory])
            #expect(refused.status == 1)
            #expect(refused.errors.contains("stop it, compact, and start it again"))
            await house.crash()
            try deleteMuch(house)
            let (before, known) = (try size(house), try users(house))
            // The broker, with the gate that reads, goes on.
            let said = try await house.kith("compact")
            let after = try size(house)
            #expect(before - after > 1_000_000, "\(before) \(after): \(said)")
            #expect(said.contains("MiB are free"))
            #expect(try users(house) == known)
            try await house.start()
            try await house.done("ann", "sharing.start", #"{"groups":"all"}"#)
        }
    }

    @Test func `Killed in the middle it leaves the database as it was`() async throws {
        try await withInstallation { house in
            _ = try await house.family("ann", "ben")
            try deleteMuch(house)
            let known = try users(house)
            for pause in [5, 20, 60, 150] {
                let compact = RunningProgram(
                    Program.kith, ["compact", "--data", house.directory],
                    environment: house.environment)
                try await Task.sleep(for: .milliseconds(pause))
                await compact.kill()
                #expect(try users(house) == known)
                let sound = try await house.database().read {
                    try String.fetchOne($0, sql: "PRAGMA integrity_check")
                }
                #expect(sound == "ok")
            }
        }
    }

    @Test func `Where there is no data it makes none`() async throws {
        try await withTemporaryDirectory { directory in
            let data = directory + "/none"
            let ending = try await Program.run(Program.kith, ["compact", "--data", data])
            #expect(ending.status == 1)
            #expect(!FileManager.default.fileExists(atPath: data))
        }
    }

    @Test func `After a clean stop the file is complete, though the gate has it open`() async throws
    {
        try await withInstallation { house in
            _ = try await house.family("ann", "ben")
            try await house.start()
            try await house.done("ann", "sharing.start", #"{"groups":"all"}"#)
            let bridge = try #require(await house.processIdentifier)
            kill(bridge, SIGTERM)
            _ = try await eventually("an end") { await house.ending }
            let log = (try? size(house, "-wal")) ?? 0
            #expect(log == 0)
            let copy = house.directory + "/copy.db"
            try FileManager.default.copyItem(atPath: house.directory + "/kith.db", toPath: copy)
            let states = try await DatabaseQueue(path: copy).read {
                try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM trackers")
            }
            #expect(states ?? 0 > 0)
        }
    }
}
