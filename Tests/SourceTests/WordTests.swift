import Foundation
import Testing

/// Words that make English sound translated (CONTRIBUTING.md), in all that people read.
struct WordTests {
    private static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The lines with such words, as "file:line: words", of the files with these endings.
    private func found(
        _ pattern: Regex<Substring>, in folders: [String], _ endings: [String], atLeast: Int = 10
    ) throws -> [String] {
        var found: [String] = []
        var fileCount = 0
        for folder in folders {
            let start = WordTests.project.appending(path: folder)
            let paths =
                folder == "."
                ? try FileManager.default.contentsOfDirectory(atPath: start.path)
                : try FileManager.default.subpathsOfDirectory(atPath: start.path)
            for path in paths
            where endings.contains(where: path.hasSuffix) && path != "SourceTests/WordTests.swift" {
                let file = start.appending(path: path)
                let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
                fileCount += 1
                for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
                    .enumerated()
                {
                    for match in line.matches(of: pattern) {
                        found.append("\(folder)/\(path):\(index + 1): \(match.output)")
                    }
                }
            }
        }
        #expect(fileCount >= atLeast, "The folders have no such files.")
        return found
    }

    @Test func `Titles of tests name the component first`() throws {
        let headless =
            #/(?:func `|@(?:Test|Suite)\(\s*")(?:Wh(?:at|o|om|ose)(?:ever)?|They|It|One|(?:No|Some|Every)body) /#
        #expect(try found(headless, in: ["Tests"], [".swift"]) == [])
    }

    @Test func `People are notified, values are reported`() throws {
        let words =
            #/(?i)\b(?:is|are|was|were|be|been|being) told\b|\bwhoever\b|\banew\b|was it not you/#
        let sources = [
            "Sources", "Tests", "Fuzz/Sources", "docs", "pages", "monitoring", "broker-config",
        ]
        let endings = [".swift", ".md", ".js", ".html", ".yaml", ".conf", ".py"]
        #expect(try found(words, in: sources, endings) == [])
        #expect(try found(words, in: ["."], [".md"], atLeast: 3) == [])
    }
}
