import Foundation
import Testing

/// Words that make English sound translated (CONTRIBUTING.md), in all that people read.
struct WordTests {
    private static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The lines with such words, as "file:line: words", of the files with these endings.
    private func found(
        _ pattern: Regex<Substring>, in folders: [String], _ endings: [String]
    ) throws -> [String] {
        var found: [String] = []
        var fileCount = 0
        for folder in folders {
            let start = WordTests.project.appending(path: folder)
            for path in try FileManager.default.subpathsOfDirectory(atPath: start.path)
            where endings.contains(where: path.hasSuffix) && path != "SourceTests/WordTests.swift" {
                let text = try String(contentsOf: start.appending(path: path), encoding: .utf8)
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
        #expect(fileCount > 10, "The folders have no such files.")
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
        let places = ["Sources", "Tests", "docs", "pages", "tools"]
        #expect(try found(words, in: places, [".swift", ".md", ".js", ".html"]) == [])
    }
}
