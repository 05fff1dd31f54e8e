/// Of whom messages tell others.
extension AccessPolicy {
    /// Of whom everything tells that is published there; nil where that is nobody in particular, or
    /// nobody but the reader.
    public func subject(of place: Place) -> Name? {
        if let member = place.names.member { return member }
        let isOfGroup = place.names.group != nil
        return isOfGroup || row(of: place).readers.contains(.friendsInSight)
            ? place.names.user : nil
    }

    /// Whom the service's message names: who said it, of whom it tells, who did it. Of an alert that
    /// is the person it is about, and not those who have seen it: it is for the others still.
    public func people(namedAt place: Place, in payload: [UInt8]) -> Set<Name> {
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue.parse(payload) } catch { return [] }
        var people: Set<Name> = []
        AccessPolicy.collect(from: value, isAlert: isAlert(place), into: &people)
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
