internal import JSON
public import Tracking

/// The operator's commands of one area: an enum with a case for each.
public protocol AreaOperatorCommand: Sendable {}

/// For areas without such commands.
extension Never: AreaOperatorCommand {}

/// A command from the operator's command line to the bridge, as stored while it waits.
///
/// Beside its enum, each area has a function that writes a command (`.disableUser("alice")`). The
/// bridge reads it by the row of its method.
public struct OperatorCommand: Sendable {
    /// An object: the method, as `command`, and its members.
    public let json: String

    public init(json: String) { self.json = json }

    /// - Parameters:
    ///   - texts: the members that are texts; nil leaves one out.
    ///   - others: writes the other members.
    init(
        _ method: String, _ texts: KeyValuePairs<StaticString, String?> = [:],
        _ others: (inout JSONWriter) -> Void = { _ in }
    ) {
        let bytes = JSONWriter.object { json in
            json.member("command", method)
            for (key, text) in texts { json.member(key, text) }
            others(&json)
        }
        json = String(decoding: bytes, as: UTF8.self)
    }

    /// - Throws: `malformed`, or as the other `read`.
    public func read(at now: Timestamp, _ limits: FixLimits) throws(Problem)
        -> any AreaOperatorCommand
    {
        let value: JSONValue
        do { value = try JSONValue.parse(Array(json.utf8)) } catch { throw Problem(error) }
        let fields = try Fields(value)
        return try OperatorCommand.read(value["command"]?.text ?? "", fields, at: now, limits)
    }

    /// - Throws: `unknown-method`, or `invalid` with every field that cannot be accepted.
    public static func read(
        _ method: String, _ fields: Fields, at now: Timestamp, _ limits: FixLimits
    ) throws(Problem) -> any AreaOperatorCommand {
        guard let read = Method.named(method)?.operators else {
            throw Problem(.unknownMethod, "There is no such operator command.")
        }
        return try fields.all(by: read, at: now, limits)
    }

    /// A part of a list, ordered by name or id.
    public struct Page: Sendable {
        /// The last entry of the previous part; nil for the first part.
        public let after: String?
        /// The prefix of the names.
        public let prefix: String
        public let limit: Int

        static let form = Form(
            Form("after", .text).ifPresent, Form("prefix", .text).or(""), Form.limit
        ) { Page(after: $0, prefix: $1, limit: $2) }
    }
}

// MARK: Members of operator's commands

extension Form {
    /// A required text, refused for this reason even if it is missing.
    static func text(
        _ name: String, orRefuse reason: String, _ read: @escaping @Sendable (String) -> Value?
    ) -> Form {
        Form(ways: [[.init(name, .text(.rule(reason)))]]) { fields, _ in
            let value = fields.string(name).flatMap(read)
            if value == nil { fields.refuse(name, reason) }
            return value
        }
    }

    /// A list, refused for its first invalid element.
    ///
    /// - Parameter read: returns nil for an invalid element.
    private static func list<Element>(
        _ name: String, of schema: Schema,
        _ read:
            @escaping @Sendable (JSONValue, Method.Circumstances) throws(Problem) -> Element?
    ) -> Form where Value == [Element] {
        Form(ways: [[.init(name, .array(of: schema))]]) { fields, circumstances in
            guard case .array(let values)? = fields[name] else {
                fields.refuse(name, "must be an array")
                return nil
            }
            do throws(Problem) {
                var elements: [Element] = []
                for value in values {
                    guard let element = try read(value, circumstances) else {
                        fields.refuse(name, "has an invalid element")
                        return nil
                    }
                    elements.append(element)
                }
                return elements
            } catch {
                for error in error.errors { fields.refuse("\(name).\(error.field)", error.reason) }
                return nil
            }
        }
    }

    static func list<Element>(_ name: String, of form: Form<Element>) -> Form
    where Value == [Element] {
        list(name, of: form.schema) { value, circumstances throws(Problem) in
            var fields = try Fields(value)
            let element = form.read(&fields, circumstances)
            try fields.check()
            return element
        }
    }

    static func names(_ name: String) -> Form where Value == [Name] {
        list(name, of: .text(.name)) { value, _ in value.text.flatMap { Name($0) } }
    }
}

extension Form where Value == UUIDv7 {
    static func id(_ name: String) -> Form {
        text(name, orRefuse: "must be an id") { UUIDv7($0) }
    }
}

extension Form where Value == [UInt8] {
    /// The SHA-256 hash of a secret.
    static let hash = text("hash", orRefuse: "must be 64 hexadecimal digits") { text in
        Hexadecimal.bytes(text).flatMap { $0.count == 32 ? $0 : nil }
    }
}

package enum Hexadecimal {
    package static func text(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Decodes hexadecimal text; nil for anything but pairs of digits.
    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
