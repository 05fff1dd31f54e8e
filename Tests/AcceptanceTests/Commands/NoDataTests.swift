import Foundation
import TestSupport
import Testing

/// A wrong directory: only the commands that serve create one.
@Suite(.timeLimit(.minutes(2)))
struct NoDataTests {
    /// Those that create the data of an installation, or need none.
    private static let exceptions: Set<String> = ["up", "serve", "web", "check-config"]

    /// Values for the required arguments and options, by name.
    private static let values = [
        "user": "ann", "device": "phone", "group": "Family", "members": "ann", "name": "Ann",
        "text": "Words", "from": "2026-12-01T22:00:00Z", "to": "2026-12-01T23:00:00Z",
        "source": "osm", "file": "/dev/null", "places": "cafe",
        "observer": "01890000-0000-7000-8000-000000000000",
        "id": "01890000-0000-7000-8000-000000000000",
    ]

    /// Every command that has `--data`, with all it requires, as the program itself lists them.
    private func commands() async throws -> [[String]] {
        let help = JSON(
            parsing: try await Program.succeed(Program.kith, ["--experimental-dump-help"]))
        var found: [[String]] = []
        func walk(_ command: JSON, _ path: [String]) throws {
            let parts = command["subcommands"].elements.filter { $0["commandName"].text != "help" }
            for part in parts { try walk(part, path + [try #require(part["commandName"].text)]) }
            let arguments = command["arguments"].elements
            let takesData = arguments.contains { argument in
                argument["names"].elements.contains { $0["name"].text == "data" }
            }
            guard parts.isEmpty, takesData, !Self.exceptions.contains(path.joined(separator: " "))
            else { return }
            var line = path
            for argument in arguments where argument["isOptional"] != true {
                let name = try #require(argument["valueName"].text)
                let value = try #require(Self.values[name], "\(path): what is \(name)?")
                if argument["kind"].text == "positional" {
                    line.append(value)
                } else {
                    line += ["--\(argument["names"].elements.first?["name"].text ?? "")", value]
                }
            }
            // It requires one of two.
            if path == ["backup"] { line.append("/dev/null") }
            found.append(line)
        }
        try walk(help["command"], [])
        return found
    }

    @Test func `An operator's command reports that there is no data and creates none`() async throws
    {
        let commands = try await commands()
        for known in ["user add", "user list", "backup", "restore", "export", "key add", "map add"]
        {
            #expect(
                commands.contains { $0.joined(separator: " ").hasPrefix(known) },
                "\(known) is not among \(commands)")
        }
        try await withTemporaryDirectory { directory in
            let data = directory + "/data"
            for command in commands {
                let ending = try await Program.run(Program.kith, command + ["--data", data])
                #expect(ending.status == 1, "\(command): \(ending)")
                #expect(
                    (ending.output + ending.errors).contains("There is no Kith data in \(data)"),
                    "\(command): \(ending)")
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty,
                    "\(command)")
            }
        }
    }

    @Test func `A directory without a database stays empty`() async throws {
        try await withTemporaryDirectory { directory in
            for command in try await commands()
            where !["restore", "map"].contains(command.first) {
                let ending = try await Program.run(Program.kith, command + ["--data", directory])
                #expect(ending.status == 1, "\(command): \(ending)")
                #expect(
                    (ending.output + ending.errors).contains("There is no Kith data in"),
                    "\(command): \(ending)")
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty,
                    "\(command)")
            }
        }
    }

    @Test func `KITH_DATA names the directory, and --data another one`() async throws {
        try await withTemporaryDirectory { directory in
            try Program.beginData(directory + "/a")
            try Program.beginData(directory + "/b")
            let environment = ["KITH_DATA": directory + "/a"]
            _ = try await Program.succeed(
                Program.kith, ["user", "add", "ann"], environment: environment)
            let other = ["--data", directory + "/b"]
            _ = try await Program.succeed(
                Program.kith, ["user", "add", "ben"] + other, environment: environment)
            let first = try await Program.succeed(
                Program.kith, ["user", "list"], environment: environment)
            #expect(first == "ann\tann\t\t-")
            let second = try await Program.succeed(
                Program.kith, ["user", "list"] + other, environment: environment)
            #expect(second == "ben\tben\t\t-")
        }
    }

    @Test func `An existing directory is closed to others when Kith starts`() async throws {
        try await withTemporaryDirectory { directory in
            for (mode, expected, files) in [
                (0o755, 0o750, []), (0o777, 0o770, ["kith.yaml"]), (0o700, 0o700, ["other"]),
                (0o755, 0o755, ["other"]),
            ] {
                let data = "\(directory)/\(mode)-\(files.count)-\(expected)"
                try FileManager.default.createDirectory(
                    atPath: data, withIntermediateDirectories: false)
                for file in files {
                    try Data().write(to: URL(fileURLWithPath: "\(data)/\(file)"))
                }
                let manager = FileManager.default
                try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: data)
                // The port of no broker: it keeps trying until it is ended.
                let bridge = RunningProgram(
                    Program.kith, ["serve", "--data", data], environment: ["KITH_BROKER_PORT": "1"])
                _ = try await eventually("a bridge that tries, or ends: \(bridge.lines)") {
                    bridge.ending != nil
                        || bridge.lines.contains { $0.contains("cannot be reached") }
                        ? true : nil
                }
                await bridge.end(SIGTERM)
                let lines = bridge.lines.joined(separator: "\n")
                let attributes = try manager.attributesOfItem(atPath: data)
                #expect(attributes[.posixPermissions] as? Int == expected, "\(lines)")
                let isRefused = mode == 0o755 && files == ["other"]
                #expect(
                    lines.contains("is open to everyone, and its files are not Kith's")
                        == isRefused, "\(lines)")
                #expect(
                    lines.contains("that has been corrected") == (mode != expected), "\(lines)")
            }
        }
    }
}
