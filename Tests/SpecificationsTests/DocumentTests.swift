import Bridge
import Contract
import Foundation
import Testing
import Yams

@testable import Specifications

/// The two documents that programs read: made from the tables, and nothing else.
struct DocumentTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(3).joined(separator: "/")

    private func file(_ path: String) throws -> String {
        try String(contentsOfFile: "\(DocumentTests.root)/\(path)", encoding: .utf8)
    }

    @Test(arguments: ["asyncapi", "openapi"])
    func `The documents match the program's output`(_ name: String) throws {
        let document =
            name == "asyncapi"
            ? AsyncAPI.document(version: kithVersion) : OpenAPI.document(version: kithVersion)
        // Not by the values: a diff of half a megabyte is useless.
        let isSame = try file("docs/\(name).yaml") == document.document
        #expect(
            isSame, "Put what `kith-dev contract-tables \(name)` prints into docs/\(name).yaml.")
    }

    @Test(arguments: ["asyncapi", "openapi"])
    func `The output is YAML with the intended content`(_ name: String) throws {
        let document =
            name == "asyncapi"
            ? AsyncAPI.document(version: kithVersion) : OpenAPI.document(version: kithVersion)
        let node = try #require(try Yams.compose(yaml: document.document))
        #expect(YAML(node) == document)
    }

    @Test func `Payload notations match the reference`() throws {
        let reference = try file("docs/reference.md").replacing("\n", with: " ")
        for row in PayloadRow.all {
            #expect(
                reference.contains("**\(row.name)**: `\(row.notation)`"),
                "docs/reference.md notes \(row.name) otherwise: `\(row.notation)`")
        }
    }

    @Test func `Every reference in the specifications leads to a schema`() throws {
        for document in [AsyncAPI.document(version: ""), OpenAPI.document(version: "")] {
            #expect(!document.references.isEmpty)
            for reference in document.references {
                var value: YAML? = document
                for name in reference.split(separator: "/").dropFirst() {
                    value = value?[String(name).replacing("~1", with: "/")]
                }
                #expect(value != nil, "\(reference) leads nowhere")
            }
        }
    }

    @Test func `A request's schema states the bounds of its fields`() throws {
        let rename = try #require(Method.named("group.rename")).requestSchema
        #expect(rename["required"] == ["group", "name"])
        #expect(rename["properties"]?["name"]?["type"] == "string")
        let nearby = try #require(Method.named("friend.nearby")).requestSchema
        #expect(nearby["properties"]?["radius"]?["type"] == "number")
        let history = try #require(Method.named("chat.history")).requestSchema
        #expect(
            history["properties"]?["limit"] == [
                "type": "integer", "minimum": 1, "maximum": 100, "description": "default 50",
            ])
        let start = try #require(Method.named("journey.start")).requestSchema
        guard case .list(let ways)? = start["anyOf"] else {
            Issue.record("there are several ways to start a journey")
            return
        }
        #expect(
            ways[0]["properties"]?["destination"]?["properties"]?["latitude"]
                == ["type": "number", "minimum": -90, "maximum": 90])
        #expect(ways[1]["properties"]?["extend"]?["const"] == true)
    }

    @Test func `Every client method and topic is documented`() {
        let openAPI = OpenAPI.document(version: "")
        let asyncAPI = AsyncAPI.document(version: "")
        for method in Method.all where method.isOpen {
            #expect(openAPI["paths"]?["/api/\(method)"]?["post"] != nil)
            #expect(asyncAPI["components"]?["messages"]?[method.name] != nil)
        }
        for row in TopicRow.all where row.payload != nil {
            let channel = asyncAPI["channels"]?["\(row.kind)"]
            #expect(channel?["x-kith-publish"] == .list(row.writers.map { .text($0.rawValue) }))
        }
    }
}

struct NotationTests {
    @Test func `The notation of the tables is parsed`() {
        #expect(Notation("{}") == .object([], isOpen: false))
        #expect(
            Notation(#"{a,b?,c:"x"\|"y",…}"#)
                == .object(
                    [
                        .init(name: "a", isOptional: false, value: nil),
                        .init(name: "b", isOptional: true, value: nil),
                        .init(
                            name: "c", isOptional: false,
                            value: .choice([.literal("x"), .literal("y")])),
                    ], isOpen: true))
        #expect(
            Notation(#"{with:"all"\|[user…]}"#)
                == .object(
                    [
                        .init(
                            name: "with", isOptional: false,
                            value: .choice([.literal("all"), .array(of: .word("user"))]))
                    ], isOpen: false))
        for text in ["", "{", "{a", "{a:}", "{a,}", "[a", "{a}}", #"{a:"x}"#] {
            #expect(Notation(text) == nil, "\(text)")
        }
    }

    @Test func `A cell has alternatives followed by words`() {
        let cell = Notation.cell("`{a}` or `{b}`: the one `or` the other")
        #expect(cell?.alternatives.count == 2)
        #expect(cell?.rest == ": the one `or` the other")
        #expect(Notation.cell("the group") == nil)
    }

    @Test func `Ambiguous text is quoted`() throws {
        let document: YAML = [
            "on": "true", "b": ["12", "a: b", "x\n\"y\""], "c": [:], "d": [["e": .number(0.5)]],
            "f": "",
        ]
        #expect(
            try document.document == """
                'on': 'true'
                b:
                - '12'
                - 'a: b'
                - 'x

                  "y"'
                c: {}
                d:
                - e: 0.5
                f: ''

                """)
    }
}

extension YAML {
    /// The document as another reader parses it.
    init(_ node: Node) {
        switch node {
        case .mapping(let mapping):
            self = .map(mapping.map { .init(key: $0.key.string ?? "", value: YAML($0.value)) })
        case .sequence(let sequence): self = .list(sequence.map { YAML($0) })
        case .scalar(let scalar):
            if scalar.style == .plain, let bool = node.bool {
                self = .bool(bool)
            } else if scalar.style == .plain, let number = node.float {
                self = .number(number)
            } else {
                self = .text(scalar.string)
            }
        case .alias: self = .text("an alias")
        }
    }

    /// All targets of `$ref`.
    var references: [String] {
        switch self {
        case .map(let members):
            members.flatMap { member in
                if member.key == "$ref", case .text(let text) = member.value { return [text] }
                return member.value.references
            }
        case .list(let elements): elements.flatMap(\.references)
        case .text, .number, .bool: []
        }
    }
}
