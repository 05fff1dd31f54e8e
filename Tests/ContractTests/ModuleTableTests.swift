import Foundation
import Testing

/// The module table in docs/source.md, compared with the package.
struct ModuleTableTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(3).joined(separator: "/")

    private struct Module {
        let name: String
        let uses: [String]
    }

    private static func file(_ path: String) throws -> String {
        try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
    }

    /// The targets of Package.swift but those for tests.
    private static func modules() throws -> [Module] {
        let package = try file("Package.swift")
            .replacing(/\.product\([^)]*\)/, with: "")
        let targets = package.matches(
            of: /\.(?:target|executableTarget|systemLibrary)\(\s*name: "([^"]+)"/)
        let ends =
            package.matches(of: /\.(?:target|executableTarget|systemLibrary|testTarget)\(/)
            .map(\.range.lowerBound) + [package.endIndex]
        return targets.compactMap { target in
            let end = ends.first { $0 > target.range.lowerBound } ?? package.endIndex
            let text = package[target.range.upperBound..<end]
            guard !text.contains(#"path: "Tests/"#) else { return nil }
            let uses = text.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.1 ?? ""
            return Module(
                name: String(target.1), uses: uses.matches(of: /"([^"]+)"/).map { String($0.1) })
        }
    }

    /// The row number of each module.
    private static func rows() throws -> [String: Int] {
        let page = try file("docs/source.md")
        let section = try #require(page.firstMatch(of: #/## The modules\n([\s\S]*?)\n## /#)).1
        var rows: [String: Int] = [:]
        for (number, line) in section.split(separator: "\n").enumerated()
        where line.hasPrefix("| `") {
            for name in (line.split(separator: "|").first ?? "").matches(of: /`([^`]+)`/) {
                rows[String(name.1.split(separator: "/").last ?? name.1)] = number
            }
        }
        return rows
    }

    @Test func `Every module is in the table and uses only modules above or beside it`() throws {
        let rows = try ModuleTableTests.rows()
        let modules = try ModuleTableTests.modules()
        #expect(modules.count > 40)
        #expect(modules.first { $0.name == "Bridge" }?.uses.contains("Store") == true)
        for module in modules {
            guard let row = rows[module.name] else {
                Issue.record("docs/source.md does not name \(module.name).")
                continue
            }
            for used in module.uses {
                guard let other = rows[used] else { continue }
                #expect(other <= row, "\(module.name) uses \(used), which is below it.")
            }
        }
    }
}
