import Foundation
import JSON
import Testing
import Tracking

@testable import Contract

/// The declarations of payloads, also of those that are written by hand.
struct PayloadTests {
    @Test func `Each payload is written byte for byte as before`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("payloads.txt")
        let lines = try PayloadSamples().all.map { "\($0.name) \($0.bytes.text)\n" }
        #expect(try String(contentsOf: file, encoding: .utf8) == lines.joined())
    }

    @Test func `Each payload has the declared members, kinds and order`() throws {
        let samples = Dictionary(grouping: try PayloadSamples().all, by: \.name)
        for row in PayloadRow.all {
            var check = SchemaCheck()
            for sample in samples[row.name] ?? [] {
                let value = try JSONValue.parse(sample.bytes)
                check.check(value, row.members, at: row.name, isOpen: row.isOpen)
            }
            #expect(check.faults == [])
            #expect(!check.required.isEmpty, "\(row.name) has no sample")
            #expect(check.present == check.required.union(check.optional))
            #expect(check.absent == check.optional)
        }
    }
}

/// Compares values with their schemas.
private struct SchemaCheck {
    /// The places where a value differs.
    private(set) var faults: [String] = []
    /// Of all members, by their paths.
    private(set) var required: Set<String> = []
    private(set) var optional: Set<String> = []
    private(set) var present: Set<String> = []
    private(set) var absent: Set<String> = []

    mutating func check(
        _ value: JSONValue, _ members: [Schema.Member], at path: String, isOpen: Bool = false
    ) {
        guard case .object(let written) = value else { return faults.append(path) }
        let (declared, names) = (members.map(\.name), written.map(\.key))
        let isInOrder = names.filter(declared.contains) == declared.filter(names.contains)
        if !isInOrder || !isOpen && !names.allSatisfy(declared.contains) {
            faults.append("\(path): \(names)")
        }
        for member in members {
            let path = "\(path).\(member.name)"
            if member.isRequired { required.insert(path) } else { optional.insert(path) }
            guard let value = value[member.name] else {
                absent.insert(path)
                continue
            }
            present.insert(path)
            if !matches(value, member.schema, at: path) { faults.append(path) }
        }
    }

    private mutating func matches(
        _ value: JSONValue, _ schema: Schema, at path: String
    ) -> Bool {
        switch (schema, value) {
        case (.boolean, .bool), (.isTrue, .bool(true)), (.null, .null), (.rule, _): return true
        case (.text(let format), .string(let text)):
            switch format {
            case .any, .rule: return true
            case .name: return Name(text) != nil
            case .uuid: return UUIDv7(text) != nil
            case .time: return Timestamp(rfc3339: text) != nil
            }
        case (.time, .string(let text)): return Timestamp(rfc3339: text) != nil
        case (.time, .number): return true
        case (.choice(let words), .string(let text)): return words.contains(text)
        case (.integer(let range), .number):
            return value.integer.map(range.contains) ?? false
        case (.number(let range), .number(let number)): return range.contains(number)
        case (.object(let members), _):
            check(value, members, at: path)
            return true
        case (.array(let element), .array(let elements)):
            return elements.allSatisfy { one in
                element.map { matches(one, $0, at: path) } ?? true
            }
        case (.either(let schemas), _): return schemas.contains { matches(value, $0, at: path) }
        case (.payload(let name), .object):
            // It is itself among the samples; where it is used, it may have more members.
            guard let row = PayloadRow.all.first(where: { $0.name == name }) else { return false }
            var inner = SchemaCheck()
            inner.check(value, row.members, at: path, isOpen: true)
            faults += inner.faults
            return inner.required.isSubset(of: inner.present)
        default: return false
        }
    }
}
