import Foundation
import Testing

@testable import Store

/// What `CHANGELOG.md` says of the schemas of the versions that people have.
struct ReleaseTests {
    private static let changes =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/") + "/CHANGELOG.md"

    @Test
    func `Each version says its schema, the newest this one, and of the others a database is kept`()
        throws
    {
        let text = try String(contentsOfFile: ReleaseTests.changes, encoding: .utf8)
        let entries = text.split(separator: #/(?m)^## /#).dropFirst()
        #expect(entries.count { $0.contains(#/^\[[\d.]+\] - /#) } > 0)
        let schemas = entries.flatMap { entry in
            let said = entry.matches(of: /Schema of the database: (\d+)\./)
                .compactMap { Int64($0.1) }
            // What is not released yet says it where it is another.
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
