import Contract
import Foundation
import Testing

/// Documents made from the method table, and facts that must not be repeated elsewhere.
struct MethodDocumentTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(4).joined(separator: "/")

    private func file(_ path: String) throws -> String {
        try String(contentsOfFile: "\(MethodDocumentTests.root)/\(path)", encoding: .utf8)
    }

    @Test func `The reference has the method table`() throws {
        #expect(
            try file("docs/reference.md").contains("\n\(Method.markdown)\n"),
            "Put what `kith-dev contract-tables methods` prints into docs/reference.md.")
    }

    @Test func `The page's contract module is up to date`() throws {
        #expect(
            try file("pages/js/contract.js") == PageContract.module,
            "Put what `kith-dev contract-tables page` prints into pages/js/contract.js.")
    }

    /// Sources and scripts, without the table.
    private func sources() throws -> [(path: String, text: String)] {
        var sources: [(path: String, text: String)] = []
        for directory in ["Sources", "pages"] {
            let names = try FileManager.default.subpathsOfDirectory(
                atPath: "\(MethodDocumentTests.root)/\(directory)")
            for name in names where name.hasSuffix(".swift") || name.hasSuffix(".js") {
                let path = "\(directory)/\(name)"
                let isTable =
                    path == "pages/js/contract.js"
                    || path.hasPrefix("Sources/Service/Contract/Requests/")
                if !isTable { sources.append((path, try file(path))) }
            }
        }
        return sources
    }

    @Test func `Sources and scripts request only existing methods`() throws {
        let areas = Set(Method.all.compactMap { $0.name.split(separator: ".").first })
        var found = 0
        for (path, text) in try sources() {
            for match in text.matches(of: /"([a-z]+)\.([a-z]+)"/)
            where areas.contains(match.1) && match.2 != "json" {
                found += 1
                #expect(
                    Method.named("\(match.1).\(match.2)") != nil,
                    "\(path) asks for \(match.0), which is not in the table of methods.")
            }
        }
        // The page alone asks for more than thirty.
        #expect(found > 60)
    }

    @Test func `Methods are listed only in the method table`() throws {
        let areas = Set(Method.all.compactMap { $0.name.split(separator: ".").first })
        for (path, text) in try sources() {
            for match in text.matches(
                of: /"([a-z]+)\.[a-z]+",\s*"[a-z]+\.[a-z]+",\s*"[a-z]+\.[a-z]+"/)
            where areas.contains(match.1) {
                Issue.record(
                    """
                    \(path) has a list of methods: \(match.0). What it says of them belongs into \
                    the table, Sources/Service/Contract/Requests/Method.swift.
                    """)
            }
        }
    }
}
