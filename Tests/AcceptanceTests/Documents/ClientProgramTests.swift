import Foundation
import GRDB
import TestBroker
import TestSupport
import Testing

/// The program of `docs/clients.md` when things go wrong.
@Suite(.timeLimit(.minutes(2)))
struct ClientProgramTests {
    @Test func `The client keeps unstored fixes, resumes and drops members who have left`()
        async throws
    {
        try await withInstallation { installation in
            let program = installation.directory + "/walker.py"
            let text = try #require(
                Document("docs/clients.md").blocks.first { $0.language == "python" }?.text)
            try text.write(toFile: program, atomically: true, encoding: .utf8)
            let group = try await installation.family("ann", "ben")
            let token = try await installation.token("ann", "watch")
            func walk(_ steps: Int) -> RunningProgram {
                RunningProgram(
                    "bash",
                    [
                        "-c",
                        "cd '\(installation.directory)' && exec /usr/bin/python3 walker.py ann watch "
                            + "'\(token)' '\(group)' \(steps)",
                    ], environment: ["PORT": "\(installation.port)"])
            }
            // The broker is up but the bridge is not: there are no receipts.
            let first = walk(3)
            _ = try await eventually("three steps: \(first.lines)") {
                let kept = try? String(
                    contentsOfFile: installation.directory + "/ann.watch.json", encoding: .utf8)
                return kept?.hasPrefix("[3,") == true ? true : nil
            }
            // It would end within a tenth of a second if it were done.
            try await Task.sleep(for: .seconds(1))
            #expect(first.ending == nil, "\(first.lines)")
            await first.kill()

            let second = walk(2)
            try await installation.start()
            _ = try await eventually("its end: \(second.lines)") { second.ending }
            #expect(second.ending == "exited(0)" && second.lines.last == "all stored")
            #expect(
                second.lines.contains { $0.hasPrefix("ann is active at 46.05") },
                "\(first.lines) \(second.lines)")
            let stored = try await installation.storedFixes()
            #expect(stored == 5)

            let third = walk(60)
            _ = try await eventually("the family") {
                third.lines.contains { $0.hasPrefix("ben is") } ? true : nil
            }
            try await installation.kith("group", "remove", group, "ben")
            _ = try await eventually("that Ben is gone: \(third.lines)") {
                third.lines.contains("ben is gone") ? true : nil
            }
            await third.kill()
        }
    }
}

extension Installation {
    fileprivate nonisolated func storedFixes() async throws -> Int {
        try await database().read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM fixes") ?? 0 }
    }
}
