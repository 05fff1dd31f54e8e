import Foundation
import GRDB
import TestBroker
import TestSupport
import Testing

/// A disk that fills up while the bridge runs: the bridge reports it, acknowledges nothing, and
/// recovers by itself.
@Suite(.timeLimit(.minutes(4)))
struct DiskTests {
    private static let count = 1500

    /// Lets fixes flow, breaks something when some are stored, and repairs it a while after the
    /// bridge has reported the problem.
    private func flow(
        _ installation: Installation, expecting reason: String,
        reconnecting times: ClosedRange<Int> = 1...1,
        break breaking: () async throws -> Void, mend: () async throws -> Void
    ) async throws {
        _ = try await installation.family("ann", "ben")
        try await installation.start()
        let status = try await installation.listen(as: .operator, to: Topic.status)
        let start = status.count
        let phone = NumberedPhone(
            of: "ann", token: try await installation.token("ann"), at: installation.port,
            count: DiskTests.count)
        async let run: Void = phone.run()
        _ = try await eventually("some receipts") { await phone.receipted > 300 ? true : nil }
        try await breaking()
        let said = try await status.hears("degraded", on: Topic.status, since: start) {
            $0["status"] == "degraded"
        }
        #expect(said.json["reason"].text == reason)
        #expect(said.json["since"].text != nil && said.json["version"].text != nil)
        // Earlier messages of the bridge may still be on their way.
        var receipted = await phone.receipted
        _ = try await eventually("no receipts") {
            try await Task.sleep(for: .seconds(1))
            let before = receipted
            receipted = await phone.receipted
            return receipted == before ? true : nil
        }
        try await Task.sleep(for: .seconds(2))
        #expect(await phone.receipted == receipted, "nothing is stored meanwhile")
        let (connections, complaints) = await counts(installation)
        #expect(complaints == 1, "it is said once")
        let mended = status.count
        try await mend()
        try await status.hears(
            "online", on: Topic.status, since: mended, within: .seconds(40)
        ) { $0["status"] == "online" }
        try await run
        // Its log may arrive after its messages.
        let again = try await eventually("it has connected again") {
            let again = await counts(installation).connections - connections
            return again >= times.lowerBound ? again : nil
        }
        #expect(times.contains(again), "it has connected again \(again) times")
        let numbers = try await installation.database().read { database in
            try Int.fetchAll(database, sql: "SELECT seq FROM fixes ORDER BY taken_at_ms")
        }
        #expect(numbers == Array(1...DiskTests.count), "nothing lost, nothing twice")
    }

    private func counts(_ installation: Installation) async -> (connections: Int, complaints: Int) {
        let log = await installation.log
        return (
            log.count { $0.contains("Connected to the broker") },
            log.count { $0.contains("The database cannot be used") }
        )
    }

    /// Works as any user.
    @Test func `The bridge survives a file size limit`() async throws {
        try await withInstallation { installation in
            try await flow(installation, expecting: "disk-error") {
                let log = installation.directory + "/kith.db-wal"
                let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
                try await limit(installation, "\(try #require(size)):")
            } mend: {
                try await limit(installation, "unlimited:")
            }
        }
    }

    private func limit(_ installation: Installation, _ limit: String) async throws {
        let process = try #require(await installation.processIdentifier)
        try await Program.succeed("prlimit", ["--pid", "\(process)", "--fsize=\(limit)"])
    }

    @Test(.enabled(if: getuid() == 0, "only root may make a small disk"))
    func `The bridge survives a full disk`() async throws {
        try await withSmallDisk { installation, disk in
            try await flow(installation, expecting: "disk-full") {
                try await disk.fill()
            } mend: {
                try disk.empty()
            }
        }
    }

    @Test func `The bridge waits for a database that is moved away`() async throws {
        try await withInstallation { installation in
            let (database, elsewhere) = (
                installation.directory + "/kith.db", installation.directory + "/away.db"
            )
            // The gate disconnects it if it returns before the gate sees the file again.
            try await flow(installation, expecting: "database-gone", reconnecting: 1...2) {
                try FileManager.default.moveItem(atPath: database, toPath: elsewhere)
            } mend: {
                try FileManager.default.moveItem(atPath: elsewhere, toPath: database)
            }
        }
    }

    /// Nothing arrives from the broker either if the gate noticed first.
    @Test func `A database that is moved away while the broker is away is also reported`()
        async throws
    {
        try await withInstallation { installation in
            _ = try await installation.family("ann")
            try await installation.start()
            await installation.broker.kill()
            let (database, elsewhere) = (
                installation.directory + "/kith.db", installation.directory + "/away.db"
            )
            try FileManager.default.moveItem(atPath: database, toPath: elsewhere)
            _ = try await eventually("a complaint") {
                await counts(installation).complaints == 1 ? true : nil
            }
            try FileManager.default.moveItem(atPath: elsewhere, toPath: database)
            let connections = await counts(installation).connections
            try await installation.startBroker()
            _ = try await eventually("another connection") {
                await counts(installation).connections > connections ? true : nil
            }
        }
    }

    @Test func `The bridge ends and reports it when another database takes its place`() async throws
    {
        try await withInstallation { installation in
            _ = try await installation.family("ann")
            try await installation.start()
            let database = installation.directory + "/kith.db"
            try await installation.kith("backup", installation.directory + "/other.db")
            _ = rename(installation.directory + "/other.db", database)
            let ending = try await eventually("an end") { await installation.ending }
            #expect(ending == "exited(1)")
            let complaints = await installation.log.filter { $0.hasPrefix("kith: ") }
            #expect(complaints == ["kith: The database file was replaced."])
        }
    }
}
