import Foundation
import GRDB
import TestSupport
import Testing

/// Problems that keep the bridge from starting: it reports them in one sentence and in the exit
/// status, and leaves everything as it was.
@Suite(.timeLimit(.minutes(3)))
struct StartTests {
    /// Runs `body` with a data directory in which a bridge has run.
    private func withData(_ body: (_ directory: String, _ database: String) async throws -> Void)
        async throws
    {
        try await withTemporaryDirectory { directory in
            let data = ["--data", directory]
            try Program.beginData(directory)
            for user in ["zoe", "ben"] {
                try await Program.succeed(Program.kith, ["user", "add", user] + data)
            }
            try FileManager.default.createDirectory(
                atPath: directory + "/tokens", withIntermediateDirectories: true)
            for principal in ["bridge", "operator", "dispatch"] {
                let token = "kith:\(principal).\(String(repeating: "A", count: 43))\n"
                try Data(token.utf8).write(
                    to: URL(fileURLWithPath: "\(directory)/tokens/\(principal)"))
            }
            try await body(directory, directory + "/kith.db")
        }
    }

    /// - Returns: the complaint of a bridge that does not start.
    private func complaint(_ directory: String) async throws -> String {
        let free = ["KITH_BROKER_PORT": "1"]
        let ending = try await Program.run(
            "timeout", ["30", Program.kith, "serve", "--data", directory], environment: free)
        #expect(ending.status == 1, "\(ending)")
        #expect(ending.complaints.count { $0.hasPrefix("kith: ") } == 1, "\(ending)")
        return ending.complaints.last { $0.hasPrefix("kith: ") } ?? "\(ending)"
    }

    private static let damages: [(name: String, words: String)] = [
        ("truncated", "damaged"), ("garbage in the middle", "damaged"),
        ("not a database", "damaged"), ("nothing in it", "is empty"),
        ("from the future", "newer version"), ("half a row", "damaged"),
    ]

    private func damage(_ database: String, _ name: String) throws {
        let url = URL(fileURLWithPath: database)
        var bytes = try Data(contentsOf: url)
        switch name {
        case "truncated": bytes = bytes.prefix(10_000)
        case "garbage in the middle":
            for index in 4096..<bytes.count {
                bytes[index] = UInt8(truncatingIfNeeded: index &* 97)
            }
        case "not a database": bytes = Data("This is a letter to my aunt.\n".utf8)
        case "nothing in it": bytes = Data()
        case "from the future":
            return try execute(database, "INSERT INTO migrations VALUES (99, 0)")
        default: return try execute(database, "UPDATE users SET name = 'X Y' WHERE name = 'zoe'")
        }
        for suffix in ["-wal", "-shm"]
        where FileManager.default.fileExists(atPath: database + suffix) {
            try FileManager.default.removeItem(atPath: database + suffix)
        }
        try bytes.write(to: url)
    }

    private func execute(_ database: String, _ sql: String) throws {
        try DatabaseQueue(path: database).write { try $0.execute(sql: sql) }
    }

    @Test(arguments: damages.indices)
    func `An unusable database is reported and not touched`(_ index: Int) async throws {
        let (name, words) = StartTests.damages[index]
        try await withData { directory, database in
            try damage(database, name)
            let before = try Data(contentsOf: URL(fileURLWithPath: database))
            let complaint = try await complaint(directory)
            #expect(complaint.contains(words) && complaint.hasSuffix("."), "\(name): \(complaint)")
            #expect(!complaint.contains("zoe"))
            // Only one row is wrong; the database file itself is sound.
            guard name != "half a row" else { return }
            #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == before, "\(name)")
        }
    }

    @Test func `The operator's commands do not reinitialise an emptied database`() async throws {
        try await withData { directory, database in
            try damage(database, "nothing in it")
            let ending = try await Program.run(
                Program.kith, ["user", "add", "eve", "--data", directory])
            #expect(ending.status == 1 && ending.errors.contains("is empty"), "\(ending)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: database)).isEmpty)
        }
    }

    @Test(arguments: [[], ["-wal"]])
    func `A database that is gone is not replaced by an empty one`(_ kept: [String]) async throws {
        try await withData { directory, database in
            let files = FileManager.default
            if kept == ["-wal"] {
                try files.removeItem(atPath: directory + "/tokens")
                try Data("something".utf8).write(to: URL(fileURLWithPath: database + "-wal"))
            }
            try files.moveItem(atPath: database, toPath: database + ".moved")
            let complaint = try await complaint(directory)
            #expect(complaint.contains("is missing, although it has been used"), "\(complaint)")
            for arguments in [
                ["user", "add", "eve"], ["user", "list"], ["user", "token", "zoe", "phone"],
                ["group", "create", "Family", "zoe"], ["backup", directory + "/copy"],
            ] {
                let ending = try await Program.run(
                    Program.kith, arguments + ["--data", directory])
                #expect(ending.status == 1 && ending.errors.contains("is missing"), "\(ending)")
            }
            #expect(!files.fileExists(atPath: database))
            // The advice in the message works.
            try files.moveItem(atPath: database + ".moved", toPath: directory + "/copy")
            try await Program.succeed(
                Program.kith, ["restore", directory + "/copy", "--data", directory])
            try await Program.succeed(Program.kith, ["user", "list", "--data", directory])
        }
    }

    @Test(arguments: [false, true])
    func `A second bridge does not start`(_ isLockRemoved: Bool) async throws {
        try await withInstallation { installation in
            try await installation.start()
            if isLockRemoved {
                try FileManager.default.removeItem(atPath: installation.directory + "/kith.db.lock")
            }
            #expect(try await complaint(installation.directory).contains("Another bridge is using"))
        }
    }

    @Test func `A token file with other content is reported by its name alone`() async throws {
        try await withData { directory, _ in
            let file = directory + "/tokens/bridge"
            try Data("kith:operator.secret\n".utf8).write(to: URL(fileURLWithPath: file))
            let complaint = try await complaint(directory)
            #expect(complaint.contains(file) && !complaint.contains("secret"))
        }
    }

    /// Runs as a user other than root, who may read and write everything.
    @Test func `Unreadable and unwritable files are reported`() async throws {
        try await withData { directory, database in
            let nobody =
                getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
            // By an open file, as the checkout may be where no other user may read.
            let script = #"exec 9<"$0" && exec \#(nobody) timeout 30 /proc/self/fd/9 "$@""#
            try await Program.succeed("chmod", ["-R", "a+rwX", directory])
            if getuid() == 0 {
                try await Program.succeed("chown", ["-R", "65534:65534", directory])
            }
            func expect(_ words: String, without permission: String, _ path: String) async throws {
                try await Program.succeed("chmod", [permission, path])
                let ending = try await Program.run(
                    "sh", ["-c", script, Program.kith, "serve", "--data", directory],
                    environment: ["KITH_BROKER_PORT": "1"])
                try await Program.succeed("chmod", ["u+rwX", path])
                let complaint = ending.complaints.last { $0.hasPrefix("kith: ") } ?? ""
                #expect(ending.status == 1 && complaint.contains(words), "\(ending)")
            }
            try await expect(
                "tokens", without: "u-r,g-r,o-r", directory + "/tokens/operator")
            try await expect("is read-only", without: "a-w", database)
            try FileManager.default.removeItem(atPath: directory + "/kith.db.lock")
            try await expect("lock file beside the database", without: "a-w", directory)
        }
    }
}
