import Contract
import JSON

/// A person as mentioned in the payloads of messages, to be found and removed when the person is
/// erased.
struct Mention {
    private let name: Name
    /// The name as JSON: a payload without it does not have to be parsed.
    private let quotedName: [UInt8]
    /// A GPX document contains only the display name.
    private let trackName: [UInt8]

    init(_ name: Name, _ displayName: String) {
        self.name = name
        var json = JSONWriter(capacity: 64)
        json.string("<name>\(displayName.escapedForXML)</name>")
        quotedName = Array("\"\(name)\"".utf8)
        trackName = Array(json.bytes.dropFirst().dropLast())
    }

    func isIn(_ payload: [UInt8]) -> Bool {
        if payload.contains(trackName) { return true }
        guard payload.contains(quotedName) else { return false }
        return JSONValue(parsing: payload, isOurs: true).map(isIn) ?? false
    }

    /// Checks for the name only in user fields: a user may be called `result`, `group` or `sos`.
    private func isIn(_ value: JSONValue) -> Bool {
        switch value {
        case .object(let members):
            members.contains { member in
                switch member.value {
                case .string(let text): Mention.keys.contains(member.key) && text == name.text
                default: isIn(member.value)
                }
            }
        case .array(let elements):
            elements.contains { $0 == .string(name.text) || isIn($0) }
        default: false
        }
    }

    /// The keys whose value is a user's name; in arrays a user's name may be any element.
    private static let keys: Set<String> = ["user", "by", "from", "login", "username"]

    /// Returns the message without the person among those who caused it or have seen it.
    ///
    /// - Returns: nil if nothing is left, because the message is about the person.
    func removed(from payload: [UInt8]) -> [UInt8]? {
        guard let value = JSONValue(parsing: payload, isOurs: true),
            case .object(let members) = value, value["user"] != .string(name.text)
        else {
            return nil
        }
        let rest = members.compactMap { member -> JSONValue.Member? in
            switch (member.key, member.value) {
            case ("by", .string(name.text)): nil
            case ("acknowledgedBy", .array(let names)):
                .init(key: member.key, value: .array(names.filter { $0 != .string(name.text) }))
            default: member
            }
        }
        var json = JSONWriter(capacity: payload.count)
        json.value(.object(rest))
        return isIn(json.bytes) ? nil : json.bytes
    }
}
