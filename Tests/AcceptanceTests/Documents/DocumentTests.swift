import Foundation
import TestBroker
import TestSupport
import Testing

/// The commands in README and `docs/` do what those pages state.
@Suite(.timeLimit(.minutes(10)))
struct DocumentTests {
    @Test func `Every document has its place in the reading order`() throws {
        let docs = try FileManager.default.contentsOfDirectory(
            atPath: Document.project + "/docs"
        ).filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
        #expect(Set(docs + ["README.md", "CONTRIBUTING.md"]) == Set(Document.order))
    }

    @Test func `Every block states its language, and every exception still exists`() throws {
        let blocks = try Document.order.flatMap { try Document($0).blocks }
        for block in blocks where block.language.isEmpty {
            // A drawing, or part of another program's configuration.
            let isCommand = block.text.contains(
                #/(?m)^ *(kith|tools/\w+|swift|sudo|apt-get|systemctl|mosquitto_\w+) /#)
            #expect(!isCommand, "\(block) is to be marked as sh")
        }
        #expect(Set(blocks.map(\.language)) == ["", "sh", "yaml", "python", "json", "ini"])
        for exception in Document.exceptions {
            let isThere = blocks.contains {
                $0.document == exception.document && $0.firstLine == exception.firstLine
            }
            #expect(isThere, "\(exception)")
        }
    }

    @Test func `Settings that the documents show can be used`() async throws {
        let blocks = try Document.order.flatMap { try Document($0).blocks }
            .filter { $0.language == "yaml" }
        #expect(blocks.count >= 2)
        for block in blocks {
            try await withTemporaryDirectory { directory in
                // A file that is read immediately, and is not on every machine.
                let file = directory + "/directory-password"
                try "secret\n".write(toFile: file, atomically: true, encoding: .utf8)
                try block.text.replacing("/etc/kith/directory-password", with: file).write(
                    toFile: directory + "/kith.yaml", atomically: true, encoding: .utf8)
                _ = try await Program.succeed(
                    Program.kith, ["check-config", "--data", directory])
            }
        }
    }

    @Test func `Commands typed in reading order give the results that the pages state`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let reader = try Reader(in: directory, port: try reservePort())
            for block in try Document("docs/clients.md").blocks where block.language == "python" {
                try block.text.write(
                    toFile: reader.checkout + "/walker.py", atomically: true, encoding: .utf8)
            }
            let script = reader.script(try Document.commands(), DocumentTests.looks)
            let ending = try await Program.run(
                "bash", ["-c", "cd \(reader.checkout) && \(script)"],
                environment: reader.environment)
            func text(_ file: String) -> String {
                (try? String(contentsOfFile: reader.checkout + "/" + file, encoding: .utf8)) ?? ""
            }
            let seen = text("seen.txt")
            let everything = "\(seen)\n\(text("complaints.txt"))\n\(ending)"
            // The only failure that the pages announce.
            let failures = text("failed.txt").split(separator: "\n").filter {
                !$0.contains("mosquitto_sub -p \"${PORT:-1883}\" -u tom")
            }
            #expect(failures == [], "\(everything)")
            // A failure before an `&&` is visible only here.
            #expect(DocumentTests.surprises(text("complaints.txt")) == [])
            try expectFirstSteps(seen, text("tom.txt"), text("complaints.txt"))
            #expect(seen.contains("nora is active at 46.0500"), "\(everything)")
            #expect(seen.contains("all stored"), "\(everything)")
            #expect(JSON(parsing: text("ann.otrc"))["username"] == "ann")
            let files = try FileManager.default.contentsOfDirectory(atPath: reader.checkout)
            #expect(files.contains { $0.wholeMatch(of: /kith-\d{4}-\d\d-\d\d\.db/) != nil })
        }
    }

    private static let looks: [Reader.Look] = [
        .init(block: "tools/run", sight: "Connected to the broker", isElsewhere: true),
        .init(block: "rr sos.trigger", sight: #""state":"sos""#),
        .init(block: "> tom.txt &", sight: "Hikers", file: "tom.txt"),
        .init(block: "kith/system/#", sight: "online", isElsewhere: true),
    ]

    /// - Returns: complaints other than Kith's own log and those that the pages announce.
    private static func surprises(_ complaints: String) -> [Substring] {
        complaints.split(separator: "\n").filter {
            $0.prefixMatch(of: #/\d{4}-\d\d-\d\dT\S+ (info|notice|warning) kith: /#) == nil
                && $0 != "All subscription requests were denied."
                // From Tom, whose terminal is open when he logs out.
                && $0 != "Connection error: Connection Refused: not authorised."
                // From the shell, about a background job that ended.
                && $0.prefixMatch(of: /\[\d+\]/) == nil
        }
    }

    private func expectFirstSteps(_ seen: String, _ tom: String, _ complaints: String) throws {
        #expect(tom.contains("46.0511"), "\(tom)")
        #expect(!tom.contains("46.0522"), "\(tom)")
        #expect(tom.contains("The lake is frozen."), "\(tom)")
        #expect(complaints.contains("All subscription requests were denied."))
        #expect(!seen.contains("problem"), "\(seen)")
        let deleted = try #require(seen.split(separator: "\n").first { $0.contains("\"account\"") })
        #expect(JSON(parsing: String(deleted))["result"]["deleted"]["fixes"].number == 2)
    }
}
