import Foundation
import TestBroker
import TestSupport
import Testing

/// The forms in which `kith` writes its log.
struct LogTests {
    /// What a bridge without a broker logs within a moment.
    private func log(_ setting: String, isJournal: Bool = false) async throws -> [String] {
        try await withTemporaryDirectory { directory in
            let port = try reservePort()
            // As systemd does it: the variable names what standard error is connected to.
            let journal =
                isJournal ? #"export JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2);"# : ""
            let script = """
                exec 2> \(directory)/log; \(journal) \(setting) \
                KITH_BROKER_PORT=\(port) exec \(Program.kith) serve --data \(directory)/data
                """
            let bridge = RunningProgram("bash", ["-c", script])
            func lines() -> [String] {
                ((try? String(contentsOfFile: directory + "/log", encoding: .utf8)) ?? "")
                    .split(separator: "\n").map(String.init)
            }
            let seen = try await eventually("a complaint") {
                lines().contains { $0.contains("cannot be reached") } ? lines() : nil
            }
            await bridge.kill()
            return seen
        }
    }

    @Test func `The log for people has the time and a sentence`() async throws {
        let lines = try await log("")
        let line = try #require(lines.first { $0.contains("cannot be reached") })
        #expect(line.prefixMatch(of: #/\d{4}-\d\d-\d\dT\S+ \w+ kith: /#) != nil, "\(line)")
    }

    @Test func `The log for programs has one object per line`() async throws {
        let lines = try await log("KITH_LOG_FORMAT=json")
        let line = try #require(lines.first { $0.contains("cannot be reached") })
        for line in lines {
            let json = JSON(parsing: line)
            #expect(json["time"].text?.hasSuffix("Z") == true, "\(line)")
            #expect(json["label"] == "kith" && json["message"].text != nil, "\(line)")
        }
        #expect(["warning", "error"].contains(JSON(parsing: line)["level"].text), "\(line)")
    }

    @Test func `The journal gets priorities and adds the time itself`() async throws {
        let lines = try await log("", isJournal: true)
        for line in lines {
            #expect(line.prefixMatch(of: #/<[2-7]>kith: \S/#) != nil, "\(line)")
        }
        let line = try #require(lines.first { $0.contains("cannot be reached") })
        #expect(line.hasPrefix("<4>") || line.hasPrefix("<3>"), "\(line)")
        let objects = try await log("KITH_LOG_FORMAT=json", isJournal: true)
        #expect(!objects.isEmpty)
        for line in objects {
            #expect(line.prefixMatch(of: /<[2-7]>\{/) != nil, "\(line)")
            #expect(JSON(parsing: String(line.dropFirst(3)))["message"].text != nil, "\(line)")
        }
    }

    @Test func `A redirected log has the form for people`() async throws {
        let lines = try await log("JOURNAL_STREAM=8:1234")
        #expect(lines.allSatisfy { !$0.hasPrefix("<") }, "\(lines)")
    }

    @Test func `The configuration also sets the form and level of the log`() async throws {
        try await withTemporaryDirectory { directory in
            let (file, port) = (directory + "/kith.yaml", try reservePort())
            func lines(_ text: String, _ options: String) async throws -> [String] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: file))
                let path = "\(directory)/\(UUID()).log"
                let script = """
                    exec 2> \(path); KITH_BROKER_PORT=\(port) exec \(Program.kith) \
                    serve --data \(directory)/data --config \(file) \(options)
                    """
                let bridge = RunningProgram("bash", ["-c", script])
                let seen = try await eventually("a line") {
                    let log = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                    return log.contains("cannot be reached") ? log : nil
                }
                await bridge.kill()
                return seen.split(separator: "\n").map(String.init)
            }
            let quiet = try await lines("log:\n  format: json\n  level: warning\n", "")
            #expect(quiet.allSatisfy { JSON(parsing: $0)["level"] == "warning" }, "\(quiet)")
            // Without the option there would not be that line, which is a warning.
            let loud = try await lines("log:\n  format: json\n  level: error\n", "--verbose")
            #expect(loud.contains { JSON(parsing: $0)["level"] == "warning" }, "\(loud)")
            let text = try await lines("log:\n  format: json\n", "--log-format text")
            #expect(text.allSatisfy { !$0.hasPrefix("{") }, "\(text)")
        }
    }

    @Test func `Invalid log settings are reported with all other faults`() async throws {
        try await withTemporaryDirectory { directory in
            let text = "log:\n  format: xml\n  level: loud\n  file: x\nweb:\n  port: -1\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory + "/kith.yaml"))
            let ending = try await Program.run(
                Program.kith, ["check-config", "--data", directory])
            #expect(ending.status == 1)
            for reason in [
                "log.format must be text or json.",
                "log.level must be debug, info, notice, warning, error or critical.",
                "log.file", "web.port",
            ] {
                #expect(ending.errors.contains(reason), "\(ending)")
            }
        }
    }

    @Test func `The log format option accepts only its two forms`() async throws {
        let ending = try await Program.run(
            Program.kith, ["serve", "--log-format", "xml", "--data", "/nowhere"])
        #expect(ending.status == 2, "\(ending)")
    }
}
