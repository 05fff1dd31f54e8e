import Contract
import Foundation
import Testing

@testable import Bridge

/// An area is in the lists that everything else follows from.
struct AreaTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(3).joined(separator: "/")

    private func entries(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: AreaTests.root + "/" + folder)
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    private func text(_ file: String) throws -> String {
        try String(contentsOfFile: AreaTests.root + "/" + file, encoding: .utf8)
    }

    @Test func `Every folder of an area is in the lists of areas`() throws {
        let folders = try entries("Sources/Areas")
        #expect(
            Area.all.map(\.name).sorted() == folders,
            "Areas are listed in Area.all (Sources/Contract/Area.swift).")
        #expect(
            Areas.types.map { "\($0)" }.sorted() == folders,
            "Areas are listed in Areas (Sources/Bridge/Areas.swift).")
        let package = try text("Package.swift")
        for folder in folders {
            let modules = try entries("Sources/Areas/\(folder)").map { "\"\($0)\"" }
            #expect(
                package.contains(#"    "\#(folder)": [\#(modules.joined(separator: ", "))],"#),
                "Package.swift lists the modules that \(folder) has a part in.")
        }
    }

    @Test func `A command is performed by one area`() throws {
        let all = Areas.types.map { $0.content }
        for (index, content) in all.enumerated() where content != ObjectIdentifier(Never.self) {
            #expect(!all[..<index].contains(content))
        }
        for method in Method.all {
            guard let content = method.content else { continue }
            #expect(
                all.contains(ObjectIdentifier(content)),
                "No area performs \(method): say so by AreaHandler.perform.")
        }
    }

    /// A new arrow is a decision: draw it, or do without.
    @Test func `Areas use each other only as the drawing says`() throws {
        var arrows: [String] = []
        for area in try entries("Sources/Areas") {
            var used: Set<String> = []
            for file in try entries("Sources/Areas/\(area)/Bridge") {
                let text = try text("Sources/Areas/\(area)/Bridge/\(file)")
                for match in text.matches(of: /areas\.([a-z]\w+)/) {
                    used.insert(match.1.prefix(1).uppercased() + match.1.dropFirst())
                }
            }
            if !used.isEmpty { arrows.append("\(area) → \(used.sorted().joined(separator: ", "))") }
        }
        let drawing = try text("README.md").matches(of: /\n(\w+) +→ ([\w, ]+)/)
            .map { "\($0.1) → \($0.2)" }
        #expect(drawing == arrows)
    }
}

extension AreaHandler {
    fileprivate static var content: ObjectIdentifier { ObjectIdentifier(Content.self) }
}
