import Foundation
import GRDB
import TestBroker
import TestSupport
import Testing

/// A database that is damaged while the bridge runs, as a dying disk or another program does it.
@Suite(.timeLimit(.minutes(4)))
struct DamageTests {
    /// Overwrites the table's first page, once nothing of it is left in the write-ahead log.
    private func damage(_ table: String, of installation: Installation) async throws {
        let database = try DatabaseQueue(path: installation.directory + "/kith.db")
        _ = try await eventually("a log that is empty") {
            // Refused while the bridge reads or writes.
            let row = try database.writeWithoutTransaction {
                try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            return row?[0] == 0 ? true : nil
        }
        let (page, size) = try await database.writeWithoutTransaction { database in
            (
                try Int.fetchOne(
                    database, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?",
                    arguments: [table]),
                try Int.fetchOne(database, sql: "PRAGMA page_size")
            )
        }
        let (number, length) = (try #require(page), try #require(size))
        try database.close()
        let file = try FileHandle(
            forUpdating: URL(fileURLWithPath: installation.directory + "/kith.db"))
        try file.seek(toOffset: UInt64((number - 1) * length))
        try file.write(contentsOf: Data(repeating: 0xAA, count: length))
        try file.close()
    }

    /// Starts it with a family whose members see Ann's phone.
    private func begin(_ installation: Installation) async throws -> (
        group: String, status: Listener
    ) {
        let group = try await installation.family("ann", "ben")
        try await installation.start()
        let status = try await installation.listen(as: .operator, to: Topic.status)
        try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
        try await installation.publish(Topic.fix("ann"), fix(at: 10))
        _ = try await eventually("a position that is stored") {
            try await installation.database().read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM fixes") == 1 ? true : nil
            }
        }
        return (group, status)
    }

    private func doctor(_ installation: Installation) async throws -> String {
        try await Program.run(
            Program.kith, ["doctor", "--data", installation.directory],
            environment: ["KITH_BROKER_PORT": "\(installation.port)"]
        ).output
    }

    @Test func `A request that touches damage is refused, and a call for help gets through`()
        async throws
    {
        try await withInstallation { installation in
            let (group, status) = try await begin(installation)
            let ben = try await installation.listen(
                as: .device("ben"), to: "kith/groups/\(group)/#")
            let words = #"{"group":"\#(group)","text":"Hello"}"#
            try await installation.done("ann", "chat.send", words)
            let start = status.count
            try await damage("chat_messages", of: installation)
            // A program that writes has the bridge read pages again.
            _ = try await installation.kith("user", "add", "eve")
            let answer = try await installation.ask("ann", "chat.send", words)
            #expect(
                answer["problem"]["detail"].text?.contains("its database is damaged") == true,
                "\(answer)")
            try await installation.done("ann", "sos.trigger", #"{"fix":\#(fix(at: 30))}"#)
            try await ben.hears("sos", on: Topic.alerts(group)) { $0["fix"].isFix(at: 30) }
            let said = try await status.hears("degraded", on: Topic.status, since: start) {
                $0["status"] == "degraded"
            }
            #expect(said.json["reason"] == "database-damaged" && said.json["calls"] == false)
            #expect(said.json["concerns"].elements.contains("database-damaged"))
            let lines = await installation.log.filter { $0.contains("database is damaged") }
            #expect(lines.count == 1 && lines[0].contains("kith restore"), "\(lines)")
            let found = try await doctor(installation)
            #expect(found.contains("kith restore the last backup"), "\(found)")
        }
    }

    /// Without the newest position of each phone nothing can be decided.
    @Test func `With all positions damaged nothing is acknowledged, and the remedy logged once`()
        async throws
    {
        try await withInstallation { installation in
            let (_, status) = try await begin(installation)
            let start = status.count
            try await damage("fixes", of: installation)
            // It writes, so that the bridge reads pages again; whether it is answered depends on the moment.
            _ = try await Program.run(
                Program.kith, ["user", "add", "eve", "--data", installation.directory])
            try await installation.publish(Topic.fix("ann"), fix(at: 40))
            let said = try await status.hears("degraded", on: Topic.status, since: start) {
                $0["status"] == "degraded"
            }
            #expect(said.json["reason"] == "database-damaged")
            try await Task.sleep(for: .seconds(8))
            let lines = await installation.log.filter { $0.contains("database") }
            #expect(lines.count { $0.contains("its file is damaged") } == 1, "\(lines)")
            #expect(lines.count { $0.contains("can be used again") } == 0, "\(lines)")
            let found = try await doctor(installation)
            #expect(found.contains("kith restore the last backup"), "\(found)")
        }
    }
}
