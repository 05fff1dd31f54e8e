import Contract

/// A person as mentioned in the payloads of messages, to be found and removed when the person is
/// erased.
struct Mention {
    private let name: Name
    private let needles: [[UInt8]]

    init(_ name: Name, _ displayName: String) {
        self.name = name
        // The user's name is found as JSON; a GPX document contains only the display name.
        var json = JSONWriter(capacity: 64)
        json.string("<name>\(displayName.escapedForXML)</name>")
        needles = [Array("\"\(name)\"".utf8), Array(json.bytes.dropFirst().dropLast())]
    }

    func isIn(_ payload: [UInt8]) -> Bool { needles.contains { payload.contains($0) } }

    /// Returns the message without the person among those who caused it or have seen it.
    ///
    /// - Returns: nil if nothing is left to say, because the message is about the person.
    func removed(from payload: [UInt8]) -> [UInt8]? {
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue.parse(payload) } catch { return nil }
        guard case .object(let members) = value, value["user"] != .string(name.text) else {
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
