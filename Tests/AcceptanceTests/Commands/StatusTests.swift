import Foundation
import TestSupport
import Testing

/// `kith status` and `kith doctor`, with and without a running installation.
@Suite(.timeLimit(.minutes(2)))
struct StatusTests {
    private func kith(_ installation: Installation, _ arguments: String...) async throws -> Ending {
        try await Program.run(
            Program.kith, arguments + ["--data", installation.directory],
            environment: installation.environment)
    }

    /// The names, sizes and times of all its files.
    private func files(_ directory: String) throws -> [String] {
        let files = FileManager.default
        return try files.subpathsOfDirectory(atPath: directory).sorted().map { name in
            let found = try files.attributesOfItem(atPath: directory + "/" + name)
            return "\(name) \(found[.size] ?? 0) \(found[.modificationDate] ?? 0)"
        }
    }

    @Test func `Status reports what runs and what is stopped, and changes nothing`() async throws {
        try await withInstallation { installation in
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            let running = try await kith(installation, "status")
            #expect(running.status == 0, "\(running)")
            #expect(running.output.contains("the bridge is online"), "\(running)")
            #expect(running.output.contains("accounts      2, groups 1"), "\(running)")
            let told = JSON(parsing: try await kith(installation, "status", "--json").output)
            #expect(told["bridge"]["running"] == true)
            #expect(told["bridge"]["build"]["version"].text == told["program"]["version"].text)
            let process = await installation.processIdentifier
            #expect(told["bridge"]["process"].number == process.map { Double($0) })
            #expect(told["broker"]["status"] == "online")
            #expect(told["database"]["accounts"].number == 2)
            #expect(told["lastBackup"] == .null)

            let doctor = try await kith(installation, "doctor", "--json")
            #expect(doctor.status == 1)
            let names = JSON(parsing: doctor.output)["troubles"].elements.map { $0["name"].text }
            #expect(names.contains("no-backup"), "\(doctor)")
            for wrong in ["no-broker", "no-bridge", "bridge-outdated", "no-data", "wrong-owner"] {
                #expect(!names.contains(wrong), "\(doctor)")
            }
            for secret in ["ann", "ben", "Ann", "Family"] {
                #expect(!doctor.output.contains("\"\(secret)\""), "\(doctor)")
            }
            try await installation.kith("backup", installation.directory + "/a.db")
            let after = try await kith(installation, "doctor")
            #expect(!after.output.contains("backup"), "\(after)")

            await installation.crash()
            let before = try files(installation.directory)
            let stopped = try await kith(installation, "status")
            #expect(stopped.status == 1 && stopped.output.contains("not running"), "\(stopped)")
            let troubles = try await kith(installation, "doctor")
            #expect(
                troubles.output.contains("No bridge is running on this data: start it"),
                "\(troubles)")
            #expect(try files(installation.directory) == before)
        }
    }

    @Test func `An unusable configuration is one trouble among others`() async throws {
        try await withTemporaryDirectory { directory in
            try Program.beginData(directory)
            _ = try await Program.succeed(
                Program.kith, ["user", "add", "ann", "--data", directory])
            try Data("broker: [".utf8).write(to: URL(fileURLWithPath: directory + "/kith.yaml"))
            let ending = try await Program.run(Program.kith, ["doctor", "--data", directory])
            #expect(ending.status == 1, "\(ending)")
            #expect(ending.output.contains("run kith check-config to see where"), "\(ending)")
            #expect(ending.output.contains("There is no backup"), "\(ending)")
        }
    }

    @Test func `The version is the changelog's newest and names the build's origin`() async throws {
        let version = try await Program.succeed(Program.kith, ["--version"])
        #expect(version.wholeMatch(of: /kith \d+\.\d+\.\d+ \(.+\)/) != nil, "\(version)")
        let changes = try String(
            contentsOfFile: Document.project + "/CHANGELOG.md", encoding: .utf8)
        let newest = try #require(
            changes.firstMatch(of: /(?m)^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/))
        #expect(version.hasPrefix("kith \(newest.1) ("), "\(version)")
    }
}
