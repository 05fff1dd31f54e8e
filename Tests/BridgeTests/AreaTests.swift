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

    /// A new arrow is a decision: draw it, or do without.
    @Test func `Areas use each other only as the diagram shows`() throws {
        var arrows: [String] = []
        for area in try entries("Sources/Areas") {
            var used: Set<String> = []
            for file in try entries("Sources/Areas/\(area)/Bridge") {
                let text = try text("Sources/Areas/\(area)/Bridge/\(file)")
                for match in text.matches(of: /areas\.([a-z]\w+)/) {
                    if match.1 != "all" {
                        used.insert(match.1.prefix(1).uppercased() + match.1.dropFirst())
                    }
                }
            }
            if !used.isEmpty { arrows.append("\(area) → \(used.sorted().joined(separator: ", "))") }
        }
        let drawing = try text("docs/source.md").matches(of: /\n(\w+) +→ ([\w, ]+)/)
        #expect(drawing.map { "\($0.1) → \($0.2)" }.sorted() == arrows.sorted())
        var above = Set(try entries("Sources/Areas")).subtracting(drawing.map { "\($0.1)" })
        for line in drawing {
            let used = Set(line.2.split(separator: ", ").map(String.init))
            #expect(used.isSubset(of: above), "\(line.1) uses an area below it.")
            above.insert("\(line.1)")
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
