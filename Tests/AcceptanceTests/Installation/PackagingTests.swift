import Foundation
import Glibc
import TestSupport
import Testing

/// What a package contains besides the programs: units, settings, man pages.
struct PackagingTests {
    private static let packaging = Document.project + "/packaging"
    private static let services = [
        "kith", "kith-broker", "kith-bridge", "kith-web", "kith-backup", "kith-rehearsal",
    ]

    @Test(arguments: services) func `A unit gives its service no more than it needs`(_ name: String)
        async throws
    {
        let rating = try await Program.run(
            "systemd-analyze",
            [
                "security", "--offline=yes", "--threshold=20", "--no-pager",
                "\(PackagingTests.packaging)/systemd/\(name).service",
            ])
        #expect(rating.status == 0, "\(rating.output.suffix(200)) \(rating.errors)")
    }

    @Test func `Systemd understands the units`() async throws {
        try await withTemporaryDirectory { directory in
            let folder = PackagingTests.packaging + "/systemd"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(
                Set(names)
                    == Set(
                        PackagingTests.services.map { $0 + ".service" }
                            + ["kith-backup.timer", "kith-rehearsal.timer"]))
            for name in names {
                // The programs and their man pages are not installed here.
                try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
                    .replacing(/ExecStart=\S+/, with: "ExecStart=/bin/true")
                    .replacing(/(?m)^Documentation=.*$/, with: "")
                    .write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
            }
            let verdict = try await Program.run(
                "systemd-analyze", ["verify", "--man=no"] + names.map { "\(directory)/\($0)" })
            // It also complains about other units of this machine.
            let complaints = verdict.complaints.filter { $0.contains("kith") }
            #expect(verdict.status == 0 && complaints.isEmpty, "\(verdict)")
        }
    }

    @Test func `No unit runs as root, and each starts an existing command`() async throws {
        let help = try await Program.succeed(Program.kith, ["--help"])
        for name in PackagingTests.services {
            let unit = try String(
                contentsOfFile: "\(PackagingTests.packaging)/systemd/\(name).service",
                encoding: .utf8)
            #expect(unit.contains("\nUser=kith\n"))
            guard let command = unit.firstMatch(of: /ExecStart=\/usr\/bin\/kith (\w+)/) else {
                continue
            }
            #expect(help.contains("\n  \(command.1) "), "\(name)")
        }
    }

    /// Also with the comment signs before its examples removed.
    @Test(arguments: [false, true]) func `A package's settings are valid as they are`(
        _ isFull: Bool
    ) async throws {
        try await withTemporaryDirectory { directory in
            var text = try String(
                contentsOfFile: PackagingTests.packaging + "/kith.yaml", encoding: .utf8)
            if isFull {
                text = text.replacing(/(?m)^#([a-z]+:$|  [a-zA-Z]+: )/) { "\($0.output.1)" }
                #expect(text.contains("\n  stuckAfter: 300") && text.contains("\nmail:\n"))
            }
            try text.write(
                toFile: directory + "/kith.yaml", atomically: true, encoding: .utf8)
            let ending = try await Program.run(
                Program.kith, ["check-config", "--data", directory])
            #expect(ending.status == 0, "\(ending)")
        }
    }

    @Test func `The broker's configuration has the package's paths, and nothing left to replace`()
        async throws
    {
        let text = try await Program.succeed(
            PackagingTests.packaging + "/broker-configuration", [])
        #expect(!text.contains(/(?m)^[^#]*@/))
        #expect(text.contains("\nlistener 1884 127.0.0.1\n"))
        #expect(text.contains("\nplugin /usr/lib/kith/libKithGate.so\n"))
        let template = try String(
            contentsOfFile: Document.project + "/broker-config/production.conf", encoding: .utf8)
        func settings(_ text: String) -> [Substring] {
            text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
                $0.prefix { $0 != " " }
            }
        }
        #expect(settings(text) == settings(template))
    }

    @Test func `Every command has a man page that the formatter accepts`() async throws {
        try await withTemporaryDirectory { directory in
            _ = try await Program.succeed(
                PackagingTests.packaging + "/man-pages", [Program.kith, directory])
            let help = try await Program.succeed(Program.kith, ["--help"])
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            let commands =
                help.split(separator: "SUBCOMMANDS:").last?
                .matches(of: /(?m)^  ([a-z][a-z-]+)/).map { "kith-\($0.1).1" } ?? []
            let others = ["kith.1", "kith.yaml.5", "kithctl.8"]
            #expect(commands.count > 10 && Set(names) == Set(commands + others))
            let lint = try await Program.run(
                "mandoc", ["-T", "lint", "-W", "warning"] + names.map { "\(directory)/\($0)" })
            #expect(lint.status == 0, "\(lint)")
            let page = try await Program.succeed(
                "mandoc", ["-T", "utf8", "-O", "width=100", directory + "/kith-up.1"])
            #expect(page.contains("--for-phones") || page.contains("for-phones"))
            let settings = try String(contentsOfFile: directory + "/kith.yaml.5", encoding: .utf8)
            #expect(settings.contains("\n\\fBtracking.stuckAfter\\fR\n"))
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func `Shells complete the commands`(_ shell: String)
        async throws
    {
        let script = try await Program.succeed(
            Program.kith, ["--generate-completion-script", shell])
        #expect(script.contains("check-config") && script.contains("for-phones"))
    }

    @Test func `The nightly backup keeps the newest copies, which no one else can read`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let (data, backups) = (directory + "/data", directory + "/backups")
            try Program.beginData(data)
            _ = try await Program.succeed(Program.kith, ["user", "add", "ann", "--data", data])
            try FileManager.default.createDirectory(
                atPath: backups, withIntermediateDirectories: true)
            for name in ["kith-2026-01-01T033000Z.db", "kith-2026-01-02T033000Z.db", "mine.db"] {
                try Data().write(to: URL(fileURLWithPath: "\(backups)/\(name)"))
            }
            let unit = try String(
                contentsOfFile: PackagingTests.packaging + "/systemd/kith-backup.service",
                encoding: .utf8)
            let command = String(try #require(unit.firstMatch(of: /(?m)^ExecStart=(.+)$/)?.1))
                .replacing("/usr/bin/kith", with: Program.kith)
                .replacing("/var/backups/kith", with: backups)
            let after = directory + "/after-backup"
            try "#!/bin/sh\ncp \"$KITH_BACKUP\" '\(directory)/elsewhere.db'\n".write(
                toFile: after, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: after)
            _ = try await Program.succeed(
                "sh", ["-c", command],
                environment: [
                    "KITH_DATA": data, "KITH_BACKUPS": "2", "KITH_AFTER_BACKUP": after,
                ])
            #expect(FileManager.default.fileExists(atPath: directory + "/elsewhere.db"))
            let left = try FileManager.default.contentsOfDirectory(atPath: backups).sorted()
            #expect(left.count == 3 && left.contains("mine.db"))
            #expect(!left.contains("kith-2026-01-01T033000Z.db"))
            let newest = try #require(left.last { $0.hasPrefix("kith-") })
            let rights = try FileManager.default.attributesOfItem(atPath: "\(backups)/\(newest)")
            #expect(rights[.posixPermissions] as? Int == 0o600)
            #expect((rights[.size] as? Int ?? 0) > 0)
        }
    }

    @Test func `A backup does not count if the command after it fails`() async throws {
        try await withTemporaryDirectory { directory in
            let data = directory + "/data"
            try Program.beginData(data)
            _ = try await Program.succeed(Program.kith, ["user", "add", "ann", "--data", data])
            let ending = try await Program.run(
                Program.kith,
                ["backup", directory + "/one.db", "--data", data, "--then", "exit 3"])
            #expect(ending.status == 1 && ending.errors.contains("does not count"), "\(ending)")
            let files = FileManager.default
            #expect(files.fileExists(atPath: directory + "/one.db"))
            #expect(!files.fileExists(atPath: data + "/last-backup"))
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root may leave the network"))
    func `A rehearsal starts Kith on the newest backup, and fails if that is damaged`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let (data, backups) = (directory + "/data", directory + "/backups")
            try Program.beginData(data)
            _ = try await Program.succeed(Program.kith, ["user", "add", "ann", "--data", data])
            let backup = ["backup", "--directory", backups, "--data", data]
            let newest = try await Program.succeed(Program.kith, backup)
            let script = PackagingTests.packaging + "/rehearse"
            let programs = URL(fileURLWithPath: Program.kith).deletingLastPathComponent().path
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            func rehearse() async throws -> Ending {
                try await Program.run(
                    "unshare",
                    ["--net", "sh", "-c", #"ip link set lo up && "$0" "$1""#, script, backups],
                    environment: [
                        "PATH": "\(programs):\(path):/usr/sbin", "KITH_REHEARSAL_WAIT": "60",
                    ])
            }
            let well = try await rehearse()
            #expect(well.status == 0 && well.output.contains("\(newest) serves."), "\(well)")

            let bytes = try Data(contentsOf: URL(fileURLWithPath: newest))
            try bytes.prefix(bytes.count / 2).write(
                to: URL(fileURLWithPath: backups + "/kith-2999-01-01T000000Z.db"))
            let damaged = try await rehearse()
            #expect(
                damaged.status == 1 && damaged.errors.contains("is damaged"), "\(damaged)")

            // With a network, people in the backup could be alerted.
            let reachable = try await Program.run(script, [backups])
            #expect(reachable.status == 1 && reachable.errors.contains("kith-rehearsal"))
        }
    }
}
