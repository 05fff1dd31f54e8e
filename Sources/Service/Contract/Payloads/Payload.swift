public import JSON
internal import Tracking

/// An object that the service writes, declared once: its members, their kinds and where their
/// values come from. Writing in that order, the reference's notation, OpenAPI and AsyncAPI are
/// derived from it.
///
///     Payload<Note>("Note", .init("note", .uuid) { $0.id }, .init("text", .text) { $0.text })
///
/// A member whose value is optional is absent while that is nil.
public struct Payload<Value>: Sendable {
    /// Nil if the reference does not name it.
    private let name: String?
    private let parts: [Part]

    /// One member, or several adjacent ones.
    struct Part: Sendable {
        fileprivate let members: [Schema.Member]
        fileprivate var isOpen = false
        fileprivate let write: @Sendable (Value, inout JSONWriter) -> Void
    }

    init(_ name: String, _ parts: Part...) { (self.name, self.parts) = (name, parts) }

    init(_ parts: Part...) { (name, self.parts) = (nil, parts) }

    init(parts: [Part]) { (name, self.parts) = (nil, parts) }

    /// Of a payload with a name: a test looks for each row's name in the reference.
    var row: PayloadRow {
        PayloadRow(name ?? "", members, isOpen: parts.contains(where: \.isOpen))
    }

    private var members: [Schema.Member] { parts.flatMap(\.members) }

    var schema: Schema { name.map { .payload($0) } ?? .object(members) }

    public func bytes(of value: Value) -> [UInt8] { JSONWriter.object { write(value, to: &$0) } }

    fileprivate func write(_ value: Value, to json: inout JSONWriter) {
        for part in parts { part.write(value, &json) }
    }
}

extension JSONWriter {
    /// Writes the value as an object.
    public mutating func object<Value>(_ payload: Payload<Value>, _ value: Value) {
        object { payload.write(value, to: &$0) }
    }

    /// Writes the members of the object.
    public mutating func members<Value>(_ payload: Payload<Value>, _ value: Value) {
        payload.write(value, to: &self)
    }
}

extension Payload.Part {
    /// - Parameter words: its meaning, as part of a sentence, where its name is not sufficient.
    init<Part>(
        _ name: StaticString, _ kind: WrittenKind<Part>, _ words: String? = nil,
        _ part: @escaping @Sendable (Value) -> Part
    ) {
        self.init(members: [.init("\(name)", kind.schema, words)]) { value, json in
            json.key(name)
            kind.write(part(value), &json)
        }
    }

    /// An optional member.
    init<Part>(
        _ name: StaticString, _ kind: WrittenKind<Part>, _ words: String? = nil,
        _ part: @escaping @Sendable (Value) -> Part?
    ) {
        self.init(members: [.init("\(name)", isRequired: false, kind.schema, words)]) {
            value, json in
            guard let part = part(value) else { return }
            json.key(name)
            kind.write(part, &json)
        }
    }

    /// `true`, or absent.
    static func flag(
        _ name: StaticString, _ isSo: @escaping @Sendable (Value) -> Bool
    ) -> Payload.Part {
        Payload.Part(members: [.init("\(name)", isRequired: false, .isTrue)]) { value, json in
            json.flag(name, isSo(value))
        }
    }

    /// `latitude` and `longitude`.
    static func coordinate(
        _ coordinate: @escaping @Sendable (Value) -> Coordinate
    ) -> Payload.Part {
        Payload.Part(members: Coordinate.members) { $1.coordinate(coordinate($0)) }
    }

    static func coordinate(
        _ coordinate: @escaping @Sendable (Value) -> Coordinate?
    ) -> Payload.Part {
        Payload.Part(members: Coordinate.members.map(\.optional)) { value, json in
            if let coordinate = coordinate(value) { json.coordinate(coordinate) }
        }
    }

    /// The members of another payload.
    static func members<Part>(
        of payload: Payload<Part>, _ part: @escaping @Sendable (Value) -> Part
    ) -> Payload.Part {
        Payload.Part(members: payload.members) { $1.members(payload, part($0)) }
    }

    /// Members that are listed elsewhere.
    static func others(
        _ write: @escaping @Sendable (Value, inout JSONWriter) -> Void
    ) -> Payload.Part {
        Payload.Part(members: [], isOpen: true, write: write)
    }
}

extension Coordinate {
    /// `latitude` and `longitude`, in degrees.
    static let members: [Schema.Member] = [
        .init("latitude", .number(-90...90)), .init("longitude", .number(-180...180)),
    ]
}
