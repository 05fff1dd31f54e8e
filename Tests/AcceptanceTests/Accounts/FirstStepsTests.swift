import Foundation
import TestBroker
import TestJSON
import Testing

/// What `docs/first-steps.md` promises, word for word.
@Suite(.timeLimit(.minutes(2)))
struct FirstStepsTests {
    @Test func `The first steps lead where the page says`() async throws {
        try await withInstallation { house in
            try await house.start()
            let script = try script() + "\nkill %1; wait\n"
            let ending = try await Program.run(
                "bash", ["-c", "cd \(house.directory) && \(script)"],
                environment: ["PORT": "\(house.port)"])
            let seen = try String(contentsOfFile: house.directory + "/ben.txt", encoding: .utf8)
            #expect(seen.contains("46.0511"), "\(ending)")
            #expect(!seen.contains("46.0522"), "\(ending)")
            #expect(seen.contains("The lake is frozen."), "\(ending)")
            #expect(ending.complaints.contains("All subscription requests were denied."))
            #expect(!ending.output.contains("problem"), "\(ending)")
            let deleted = try #require(ending.output.split(separator: "\n").last)
            #expect(JSON(parsing: String(deleted))["result"]["deleted"]["fixes"].number == 2)
        }
    }

    /// The page's commands, in their order. Whoever types them sees that Ben's terminal shows
    /// something before going on.
    private func script() throws -> String {
        let page =
            #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
            .joined(separator: "/") + "/docs/first-steps.md"
        let text = try String(contentsOfFile: page, encoding: .utf8)
        let blocks = text.matches(of: /```sh\n([\s\S]*?)```/).map { String($0.1) }
        try #require(blocks.count > 5)
        let (start, wait) = (
            "> ben.txt &\n", "for _ in {1..250}; do [ -s ben.txt ] && break; sleep 0.1; done\n"
        )
        try #require(blocks.count { $0.hasSuffix(start) } == 1)
        return blocks.map { $0.hasSuffix(start) ? $0 + wait : $0 }.joined(separator: "\n")
    }
}
