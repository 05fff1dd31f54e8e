import Foundation
import Testing

/// The project's files as text, for rules that need no compiler.
enum ProjectText {
    private static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The lines that match, as "file:line: match", of the files with these endings. Fails if there
    /// are fewer files.
    static func lines(
        with pattern: Regex<Substring>, in folders: [String], _ endings: [String],
        atLeast: Int = 10
    ) throws -> [String] {
        var found: [String] = []
        var fileCount = 0
        for folder in folders {
            let start = project.appending(path: folder)
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
}
