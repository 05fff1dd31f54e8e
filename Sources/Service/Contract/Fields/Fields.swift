public import JSON
internal import Numbers
public import Tracking

/// Reads the members of a JSON object and collects all errors, to report them together. `null`
/// counts as absent.
public struct Fields: Sendable {
    private let object: JSONValue
    /// The prefix of field names in errors: `destination.`, `[3].`.
    private let prefix: String
    /// Whether the errors are reported, and not only their presence.
    private let isTold: Bool
    public internal(set) var errors: [Problem.FieldError] = []
    /// The errors of omitted fields, without which the rest is accepted.
    public private(set) var leftOut: [Problem.FieldError] = []
    /// The reason why a nested object was refused as a whole, and not for its fields.
    private var refusal: Problem?

    private static let untold = Problem(.invalid, "")

    /// - Throws: `invalid` if the value is not an object.
    public init(_ value: JSONValue, prefix: String = "", isTold: Bool = true) throws(Problem) {
        guard case .object = value else {
            guard isTold else { throw Fields.untold }
            let field = prefix.isEmpty ? "payload" : String(prefix.dropLast())
            throw Problem(invalid: [.init(field: field, reason: "must be an object")])
        }
        object = value
        self.prefix = prefix
        self.isTold = isTold
    }

    /// - Throws: `invalid` with all errors so far and the omitted fields, if there are any errors;
    ///   otherwise the reason why a nested object was refused.
    public func check() throws(Problem) {
        guard !errors.isEmpty else {
            if let refusal { throw refusal }
            return
        }
        throw isTold ? Problem(invalid: errors + leftOut) : Fields.untold
    }

    public mutating func refuse(_ field: String, _ reason: @autoclosure () -> String) {
        if isTold {
            errors.append(.init(field: prefix + field, reason: reason()))
        } else if errors.isEmpty {
            errors.append(.init(field: "", reason: ""))
        }
    }

    /// Reads fields that are omitted if they are invalid, without affecting the rest.
    mutating func leavingOut<Value>(_ read: (inout Fields) -> Value?) -> Value? {
        let count = errors.count
        let value = read(&self)
        guard errors.count > count else { return value }
        leftOut += errors[count...]
        errors.removeSubrange(count...)
        return value
    }

    /// Records the error of an omitted field, without which the rest is accepted.
    mutating func leaveOut(_ field: String, _ reason: @autoclosure () -> String) {
        leavingOut { (fields) -> Void? in fields.refuse(field, reason()) }
    }

    /// Reads a nested object.
    public mutating func nested<Value>(
        _ field: String, _ read: (inout Fields) throws(Problem) -> Value?
    ) -> Value? {
        required(field).flatMap { nested($0, field, read) }
    }

    mutating func nested<Value>(
        _ value: JSONValue, _ field: String, _ read: (inout Fields) throws(Problem) -> Value?
    ) -> Value? {
        do {
            var fields = try Fields(value, prefix: "\(prefix)\(field).")
            let result = try read(&fields)
            errors += fields.errors
            refusal = refusal ?? fields.refusal
            return result
        } catch {
            errors += error.errors
            if error.errors.isEmpty { refusal = refusal ?? error }
            return nil
        }
    }

    /// Refuses fields without effect, where a person's safety depends on the settings that they
    /// believe they made.
    mutating func refuseOthers(than names: [String]) {
        guard case .object(let members) = object else { return }
        let others = members.map(\.key).filter { !names.contains($0) }
        for name in others.prefix(Fields.mostRefused) {
            let known = names.filter { $0 != "id" }.joined(separator: ", ")
            refuse(name, "is unknown here; known are \(known)")
        }
    }

    /// Omits members whose names are only similar to a field's, and so have no meaning.
    mutating func leaveOutMisspelt(among names: [String]) {
        guard case .object(let members) = object else { return }
        for member in members where !names.contains(member.key) {
            guard let name = names.first(where: { Fields.isLike($0, member.key) }) else { continue }
            leaveOut(member.key, "is unknown: it is spelled \(name)")
        }
    }

    /// Whether the texts differ only in case, `_` and `-`.
    private static func isLike(_ name: String, _ other: String) -> Bool {
        guard (0...2).contains(other.utf8.count - name.utf8.count) else { return false }
        return other.filter { $0 != "_" && $0 != "-" }.lowercased() == name.lowercased()
    }

    private static let mostRefused = 16

    /// Whether one of the fields is present; `null` counts as absent.
    func hasAny(of names: [String]) -> Bool { names.contains { self[$0] != nil } }

    /// Whether a field is present, even as `null`.
    func names(_ field: String) -> Bool { object[field] != nil }

    /// Whether a field is present and `null`, where that has a meaning.
    public func isNull(_ field: String) -> Bool { object[field] == .null }

    public subscript(_ field: String) -> JSONValue? {
        switch object[field] {
        case nil, .null: nil
        case let value: value
        }
    }

    mutating func required(_ field: String) -> JSONValue? {
        guard let value = self[field] else {
            refuse(field, Fields.missing)
            return nil
        }
        return value
    }

    static let missing = "is missing"

    // MARK: Optional fields: nil if absent or refused

    public mutating func string(ifPresent field: String) -> String? {
        self[field].flatMap { string($0, field) }
    }

    mutating func string(_ value: JSONValue, _ field: String) -> String? {
        guard case .string(let text) = value else {
            refuse(field, "must be a string")
            return nil
        }
        return text
    }

    public mutating func number(ifPresent field: String, in range: ClosedRange<Double>)
        -> Double?
    {
        self[field].flatMap { number($0, field, in: range) }
    }

    mutating func number(
        _ value: JSONValue, _ field: String, in range: ClosedRange<Double>
    ) -> Double? {
        guard case .number(let number) = value else {
            refuse(field, "must be a number")
            return nil
        }
        guard number.isFinite else {
            refuse(field, "must be finite")
            return nil
        }
        guard range.contains(number) else {
            refuse(field, "must be \(Self.words(range))")
            return nil
        }
        return number
    }

    public mutating func integer(ifPresent field: String, in range: ClosedRange<Int64>) -> Int64? {
        self[field].flatMap { integer($0, field, in: range) }
    }

    mutating func integer(_ value: JSONValue, _ field: String, in range: ClosedRange<Int64>)
        -> Int64?
    {
        guard let number = value.integer, range.contains(number) else {
            refuse(field, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    public mutating func bool(ifPresent field: String) -> Bool? {
        self[field].flatMap { bool($0, field) }
    }

    mutating func bool(_ value: JSONValue, _ field: String) -> Bool? {
        guard case .bool(let bool) = value else {
            refuse(field, "must be true or false")
            return nil
        }
        return bool
    }

    /// RFC 3339 or epoch milliseconds.
    public mutating func time(ifPresent field: String) -> Timestamp? {
        self[field].flatMap { time($0, field) }
    }

    mutating func time(_ value: JSONValue, _ field: String) -> Timestamp? {
        switch value {
        case .string(let text):
            if let time = Timestamp(rfc3339: text) { return time }
        case .number(let number):
            if let milliseconds = Int64(exactly: number.rounded(.towardZero)),
                Timestamp.printable.contains(milliseconds)
            {
                return Timestamp(milliseconds: milliseconds)
            }
        default: break
        }
        refuse(field, "must be an RFC 3339 time or epoch milliseconds")
        return nil
    }

    // MARK: Required fields

    public mutating func string(_ field: String) -> String? {
        required(field).flatMap { string($0, field) }
    }

    public mutating func number(_ field: String, in range: ClosedRange<Double>) -> Double? {
        required(field).flatMap { number($0, field, in: range) }
    }

    public mutating func time(_ field: String) -> Timestamp? {
        required(field).flatMap { time($0, field) }
    }

    public mutating func name(_ field: String) -> Name? {
        guard let text = string(field) else { return nil }
        guard let name = Name(text) else {
            refuse(field, Name.rule)
            return nil
        }
        return name
    }

    private static func words(_ range: ClosedRange<Double>) -> String {
        func word(_ bound: Double) -> String {
            bound.rounded() == bound ? String(Int64(clamping: bound)) : String(bound)
        }
        if range.upperBound == .greatestFiniteMagnitude {
            return "at least \(word(range.lowerBound))"
        }
        return "from \(word(range.lowerBound)) to \(word(range.upperBound))"
    }
}
