import JSON

/// The people whom messages are about.
extension AccessPolicy {
    /// The person whom everything published there is about; nil if it is no particular person, or
    /// only the reader.
    public func subject(of match: TopicMatch) -> Name? {
        if let member = match.names.member { return member }
        let isOfGroup = match.names.group != nil
        return isOfGroup || row(of: match).readers.contains(.friendsInSight)
            ? match.names.user : nil
    }

    /// The people named in a message of the service: its author, its subject, or the person who
    /// caused it. For an alert that is the subject and not those who have seen it, as the others
    /// still need it.
    public func people(namedAt match: TopicMatch, in payload: [UInt8]) -> Set<Name> {
        guard let value = JSONValue(parsing: payload, isOurs: true) else { return [] }
        var people: Set<Name> = []
        AccessPolicy.collect(from: value, isAlert: isAlert(match), into: &people)
        return people
    }

    private static func collect(
        from value: JSONValue, isAlert: Bool, into people: inout Set<Name>
    ) {
        switch value {
        case .array(let elements):
            for element in elements { collect(from: element, isAlert: isAlert, into: &people) }
        case .object(let members):
            for member in members {
                switch (member.key, member.value) {
                case ("user", .string(let text)), ("from", .string(let text)),
                    ("by", .string(let text)):
                    if let name = Name(text) { people.insert(name) }
                case ("watchers", .array(let names)):
                    for case .string(let text) in names {
                        if let name = Name(text) { people.insert(name) }
                    }
                case ("acknowledgedBy", .array(let names)) where !isAlert:
                    for case .string(let text) in names {
                        if let name = Name(text) { people.insert(name) }
                    }
                default: collect(from: member.value, isAlert: isAlert, into: &people)
                }
            }
        case .string, .number, .bool, .null: break
        }
    }
}
