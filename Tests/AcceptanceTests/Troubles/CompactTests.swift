import Foundation
import GRDB
import TestSupport
import Testing

/// `kith compact` as an operator uses it.
@Suite(.timeLimit(.minutes(3)))
struct CompactTests {
    private func size(_ installation: Installation, _ suffix: String = "") throws -> Int {
        let path = installation.directory + "/kith.db" + suffix
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    /// Leaves the room of this many rows unused in the database.
    private func deleteMuch(_ installation: Installation) throws {
        let database = try DatabaseQueue(path: installation.directory + "/kith.db")
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

    private func users(_ installation: Installation) throws -> [String] {
        try installation.database().read { try String.fetchAll($0, sql: "SELECT name FROM users") }
    }

    @Test func `Compact frees room, but not beside a running bridge`() async throws {
        try await withInstallation { installation in
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            let refused = try await Program.run(
                Program.kith, ["compact", "--data", installation.directory])
            #expect(refused.status == 1)
            #expect(refused.errors.contains("stop it, compact, and start it again"))
            await installation.crash()
            try deleteMuch(installation)
            let (before, known) = (try size(installation), try users(installation))
            // The broker, with the gate that reads, keeps running.
            let said = try await installation.kith("compact")
            let after = try size(installation)
            #expect(before - after > 1_000_000, "\(before) \(after): \(said)")
            #expect(said.contains("MiB were freed"))
            #expect(try users(installation) == known)
            try await installation.start()
            try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
        }
    }

    @Test func `A killed compact leaves the database as it was`() async throws {
        try await withInstallation { installation in
            _ = try await installation.family("ann", "ben")
            try deleteMuch(installation)
            let known = try users(installation)
            for pause in [5, 20, 60, 150] {
                let compact = RunningProgram(
                    Program.kith, ["compact", "--data", installation.directory],
                    environment: installation.environment)
                try await Task.sleep(for: .milliseconds(pause))
                await compact.kill()
                #expect(try users(installation) == known)
                let sound = try await installation.database().read {
                    try String.fetchOne($0, sql: "PRAGMA integrity_check")
                }
                #expect(sound == "ok")
            }
        }
    }

    @Test func `Compact creates no data directory`() async throws {
        try await withTemporaryDirectory { directory in
            let data = directory + "/none"
            let ending = try await Program.run(Program.kith, ["compact", "--data", data])
            #expect(ending.status == 1)
            #expect(!FileManager.default.fileExists(atPath: data))
        }
    }

    @Test func `A clean stop leaves a complete file, although the gate has it open`() async throws {
        try await withInstallation { installation in
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
            let bridge = try #require(await installation.processIdentifier)
            kill(bridge, SIGTERM)
            _ = try await eventually("an end") { await installation.ending }
            let log = (try? size(installation, "-wal")) ?? 0
            #expect(log == 0)
            let copy = installation.directory + "/copy.db"
            try FileManager.default.copyItem(
                atPath: installation.directory + "/kith.db", toPath: copy)
            let states = try await DatabaseQueue(path: copy).read {
                try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM trackers")
            }
            #expect(states ?? 0 > 0)
        }
    }
}
