import Foundation
import Testing

@testable import Store

/// The schemas that `CHANGELOG.md` states for released versions.
struct ReleaseTests {
    private static let changes =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/") + "/CHANGELOG.md"

    @Test
    func `The changelog states each version's schema, and earlier ones have a database`() throws {
        let text = try String(contentsOfFile: ReleaseTests.changes, encoding: .utf8)
        let entries = text.split(separator: #/(?m)^## /#).dropFirst()
        #expect(entries.count { $0.contains(#/^\[[\d.]+\] - /#) } > 0)
        let schemas = entries.flatMap { entry in
            let said = entry.matches(of: /Schema of the database: (\d+)\./)
                .compactMap { Int64($0.1) }
            // The unreleased entry states it only if it differs.
            #expect(said.count == 1 || said.isEmpty && entry.hasPrefix("[Unreleased]"))
            return said
        }
        #expect(
            schemas.first == Migration.newest,
            "Say the schema in the newest entry of CHANGELOG.md.")
        for schema in schemas.dropFirst() where schema != Migration.newest {
            #expect(Stored.schemas.contains(schema), "Tests/Stored/schema-\(schema).sqlite")
        }
    }
}
