import Contract
import Foundation
import MQTT
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

    @Test func `Every area folder is in the area lists`() throws {
        let folders = try entries("Sources/Areas")
        #expect(
            Area.all.map(\.name).sorted() == folders,
            "Areas are listed in Area.all (Sources/Service/Contract/Area.swift).")
        #expect(
            Areas.types.map { "\($0)" }.sorted() == folders,
            "Areas are listed in Areas (Sources/Service/Bridge/Areas.swift).")
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
        let guests = Areas.types.map { $0.guestContent }
        for method in Method.all {
            guard let content = method.guestContent, content != HealthCommand.self else { continue }
            #expect(
                guests.count { $0 == ObjectIdentifier(content) } == 1,
                "One area has to perform \(method) for guests: say so by AreaHandler.perform.")
        }
        let operators = Areas.types.map { $0.operatorContent }
        for method in Method.all {
            guard let content = method.operatorContent else { continue }
            #expect(
                operators.count { $0 == ObjectIdentifier(content) } == 1,
                "One area has to perform the operator's \(method): say so by AreaHandler.perform.")
        }
    }

    @Test func `Every effect of the core is carried out by an area`() throws {
        let effects = try text("Sources/Core/Tracking/Effect.swift").matches(of: /\n    case (\w+)/)
            .map { "\($0.1)" }
        #expect(effects.count > 5)
        var code = ""
        for area in try entries("Sources/Areas") {
            for file in try entries("Sources/Areas/\(area)/Bridge") {
                code += try text("Sources/Areas/\(area)/Bridge/\(file)").split(separator: "\n")
                    .filter { !$0.contains("break") }.joined(separator: "\n")
            }
        }
        for effect in effects {
            let isHandled = code.contains("case .\(effect)")
            #expect(
                isHandled,
                "No area carries out .\(effect): let one do so in AreaHandler.apply.")
        }
    }

    /// A topic that fits the row.
    private func topic(_ row: TopicRow, _ key: String) -> String {
        var text = row.pattern.replacing("{group}", with: key)
        for (name, value) in [
            ("{root}", "kith"), ("{user}", "alice"), ("{device}", "phone"), ("{phone}", "phone"),
            ("@{member}", "@bob"), ("{n}", "1"), ("{method}", "group.list"), ("{suffix}", "info"),
            ("{clientId}", "guest"), ("{share}", "01890000-0000-7000-8000-000000000001"),
            ("{incident}", "01890000-0000-7000-8000-000000000001"),
            ("{run}", "abcd2345"), ("{place}", "abcd2345"), ("{bib}", "1"), ("{page}", "2"),
            ("[…]", "a"), ("{name}", "a"), ("{service}", "myheart"),
        ] {
            text = text.replacing(name, with: value)
        }
        return text
    }

    @Test func `Exactly one area expects each topic that is compared with the broker`() throws {
        let world = try World.withFamily()
        let key = try #require(world.engine.memory.groups.values.first?.key.text)
        for row in TopicRow.all where row.retention == .compared {
            let text = topic(row, key)
            let topic = try #require(world.topics.parse(text), "\(text)")
            let answers = Areas.types.compactMap { $0.expects(topic, world.engine.memory) }
            #expect(
                answers.count == 1,
                "\(row.pattern): one area has to say by AreaHandler.expects what is to be retained."
            )
        }
    }

    @Test func `An area handles every topic that the bridge receives`() throws {
        let world = try World.withFamily()
        for row in TopicRow.all where row.lane != nil {
            let payload = Array(#"{"_type":"cmd"}"#.utf8)
            let published = try world.turn([Message(topic: topic(row, "x"), payload: payload)])
            #expect(
                !published.contains {
                    String(decoding: $0.payload, as: UTF8.self).contains("Only the service")
                }, "No area takes \(row.pattern): let one do so in AreaHandler.take.")
        }
    }

    /// The functions with names, labels and types of parameters.
    private func signatures(in text: String) -> Set<String> {
        Set(
            text.matches(of: /func (\w+)\(([^)]*)\)/).map { match in
                let parameters = match.2.split(separator: ",").map { parameter in
                    let parts = parameter.split(separator: ":", maxSplits: 1)
                    let label = parts[0].split(whereSeparator: \.isWhitespace).first ?? ""
                    return "\(label):\(parts.last?.filter { !$0.isWhitespace } ?? "")"
                }
                return "\(match.1)(\(parameters.joined(separator: ",")))"
            })
    }

    /// One that no area handles is one whose handler has other labels, and is never called.
    @Test func `Every event is handled by an area`() throws {
        let handler = try text("Sources/Service/Bridge/Areas.swift")
        let events = try #require(
            handler.split(separator: "// MARK: Events").last?
                .split(separator: "// MARK: Work by the clock").first)
        let expected = signatures(in: String(events))
        #expect(expected.count > 8)
        var found: Set<String> = []
        for area in try entries("Sources/Areas") {
            for file in try entries("Sources/Areas/\(area)/Bridge") {
                found.formUnion(
                    signatures(in: try text("Sources/Areas/\(area)/Bridge/\(file)")))
            }
        }
        #expect(expected.subtracting(found) == [])
    }

    /// The code of a folder, without comments; empty if there is no such folder.
    private func code(_ folder: String) throws -> String {
        let files = FileManager.default.enumerator(atPath: AreaTests.root + "/" + folder)
        return try (files?.allObjects ?? []).map { "\($0)" }.filter { $0.hasSuffix(".swift") }
            .map { try text(folder + "/" + $0) }.joined().split(separator: "\n")
            .filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }.joined(separator: "\n")
    }

    /// The names by which other areas can use an area: `areas.chat`, its types, its queries.
    private func names(declaredBy area: String) throws -> [String] {
        let store = try code("Sources/Areas/\(area)/Store")
        let types = (try code("Sources/Areas/\(area)/Bridge") + store)
            .matches(of: /\n(?:public |package |final )*(?:struct|class|enum|protocol) (\w+)/)
        return ["areas.\(area.prefix(1).lowercased() + area.dropFirst())"]
            + types.map { "\($0.1)" } + queries(in: store)
    }

    private func queries(in code: String) -> [String] {
        code.matches(of: /\n    (?:public |package )?func (\w+)/).map { "transaction.\($0.1)" }
    }

    /// Returns the names by which each area uses others. A name that several areas or the store
    /// itself declare counts for none.
    private func uses() throws -> [(area: String, used: String, name: String)] {
        let areas = try entries("Sources/Areas")
        var owners: [String: Set<String>] = [:]
        for area in areas {
            for name in try names(declaredBy: area) { owners[name, default: []].insert(area) }
        }
        for query in queries(in: try code("Sources/Service/Store")) { owners[query] = nil }
        var uses: [(area: String, used: String, name: String)] = []
        for area in areas {
            let parts = try ["Bridge", "Store"].map { try code("Sources/Areas/\(area)/\($0)") }
            let names = parts.joined().matches(of: /\b(?:(?:areas|transaction)\.\w+|[A-Z]\w+)/)
            for name in Set(names.map { "\($0.0)" }).sorted() {
                guard let owner = owners[name], owner.count == 1 else { continue }
                uses += owner.subtracting([area]).map { (area, $0, name) }
            }
        }
        return uses
    }

    /// A new arrow is a decision: draw it, or do without.
    @Test func `Areas use each other only as the diagram shows`() throws {
        let drawing = try text("docs/source.md").matches(of: /\n(\w+) +→ ([\w, ]+)/).map {
            (area: "\($0.1)", used: $0.2.split(separator: ", ").map(String.init))
        }
        var above = Set(try entries("Sources/Areas")).subtracting(drawing.map(\.area))
        var unused: Set<String> = []
        for (area, used) in drawing {
            #expect(above.isSuperset(of: used), "\(area) uses an area below it.")
            above.insert(area)
            unused.formUnion(used.map { "\(area) → \($0)" })
        }
        let arrows = unused
        for (area, used, name) in try uses() {
            #expect(arrows.contains("\(area) → \(used)"), "\(area) names \(name), of \(used).")
            unused.remove("\(area) → \(used)")
        }
        #expect(unused == [], "Arrows that stand for nothing.")
    }

    @Test func `The engine names no area`() throws {
        let engine = try code("Sources/Service/Bridge")
        for area in try entries("Sources/Areas") {
            let name = "areas.\(area.prefix(1).lowercased() + area.dropFirst())"
            #expect(!engine.contains(name), "Ask all areas, by a requirement of AreaHandler.")
        }
    }
}

extension AreaHandler {
    fileprivate static var content: ObjectIdentifier { ObjectIdentifier(Content.self) }
    fileprivate static var guestContent: ObjectIdentifier { ObjectIdentifier(GuestContent.self) }
    fileprivate static var operatorContent: ObjectIdentifier {
        ObjectIdentifier(OperatorContent.self)
    }
}
