internal import JSON
public import Tracking

/// What may be asked for about places of people.
public enum GeofenceCommand: AreaCommand {
    /// - `group`: whose it is; nil: one's own.
    case create(OwnPlaceDetails, group: GroupKey?)
    case update(UUIDv7, OwnPlaceDetails)
    case delete(UUIDv7)
    case list(after: UUIDv7?)
    case addRule(UUIDv7, GeofenceRuleDetails)
    case listRules(after: UUIDv7?)
    case answer(UUIDv7, agrees: Bool)
    case endRule(UUIDv7)

    static func create(_ fields: inout Fields) -> GeofenceCommand? {
        let details = fields.ownPlaceDetails(isWhole: true)
        let group = fields["group"] == nil ? nil : fields.group()
        return fields.errors.isEmpty ? .create(details, group: group) : nil
    }

    static func update(_ fields: inout Fields) -> GeofenceCommand? {
        let id = fields.uuid("geofence")
        let details = fields.ownPlaceDetails(isWhole: false)
        return id.map { .update($0, details) }
    }

    static func page(_ fields: inout Fields, _ list: (UUIDv7?) -> GeofenceCommand)
        -> GeofenceCommand?
    {
        fields["after"] == nil ? list(nil) : fields.uuid("after").map { list($0) }
    }

    static func addRule(_ fields: inout Fields) -> GeofenceCommand? {
        let fence = fields.uuid("geofence")
        let details = fields.geofenceRuleDetails()
        guard let fence, let details else { return nil }
        return .addRule(fence, details)
    }

    static func answer(_ fields: inout Fields) -> GeofenceCommand? {
        let rule = fields.uuid("rule")
        let agrees = fields.bool(ifPresent: "agree")
        if agrees == nil { fields.refuse("agree", "must be true or false") }
        guard let rule, let agrees else { return nil }
        return .answer(rule, agrees: agrees)
    }
}

/// What somebody says of a place of their own.
public struct OwnPlaceDetails: Sendable {
    public var name: String?
    public var kind: OwnPlace.Kind?
    public var centre: Coordinate?
    /// Metres.
    public var radius: Double?
}

/// What somebody says of a rule.
public struct GeofenceRuleDetails: Sendable {
    public let event: GeofenceRule.Event
    public let watched: Watched
    public let told: Told
    public let hours: GeofenceRule.Hours?
    public let isOnce: Bool

    public enum Watched: Hashable, Sendable {
        case user(Name)
        /// Everybody in it who agrees.
        case group(GroupKey)
    }

    public enum Told: Hashable, Sendable {
        case me
        case user(Name)
        case group(GroupKey)
    }
}

extension Fields {
    mutating func ownPlaceDetails(isWhole: Bool) -> OwnPlaceDetails {
        func isMeant(_ field: String) -> Bool { isWhole || self[field] != nil }
        var details = OwnPlaceDetails()
        if isMeant("name") { details.name = displayName("name")?.text }
        if isMeant("latitude") || isMeant("longitude") { details.centre = coordinate() }
        details.radius = number(ifPresent: "radius", in: OwnPlace.radius)
        if let text = string(ifPresent: "kind") {
            details.kind = OwnPlace.Kind(rawValue: text)
            if details.kind == nil { refuse("kind", "must be home, school, work or other") }
        }
        return details
    }

    mutating func geofenceRuleDetails() -> GeofenceRuleDetails? {
        let event = event()
        let watched = watched()
        let told = told()
        let hours = hours(isNeeded: event?.isTimed ?? false)
        let isOnce = bool(ifPresent: "once") ?? false
        guard let event, let watched, let told else { return nil }
        return GeofenceRuleDetails(
            event: event, watched: watched, told: told, hours: hours, isOnce: isOnce)
    }

    private mutating func event() -> GeofenceRule.Event? {
        let when = string("when")
        let by = self["by"] == nil && when != "not-there" ? nil : minute("by")
        switch when {
        case "arrives": return .arrives
        case "leaves": return .leaves
        case "not-there": return by.map { .notThere(by: $0) }
        case nil: return nil
        default:
            refuse("when", "must be arrives, leaves or not-there")
            return nil
        }
    }

    private mutating func watched() -> GeofenceRuleDetails.Watched? {
        switch (self["user"] != nil, self["group"] != nil) {
        case (true, true):
            refuse("group", "must not be there beside user")
            return nil
        case (false, true): return group().map { .group($0) }
        case (_, false): return name("user").map { .user($0) }
        }
    }

    private mutating func told() -> GeofenceRuleDetails.Told? {
        guard self["tell"] != nil else { return .me }
        return nested("tell") { fields in
            if fields["group"] != nil { return fields.group().map { .group($0) } }
            return fields.name("user").map { .user($0) }
        }
    }

    private mutating func hours(isNeeded: Bool) -> GeofenceRule.Hours? {
        let days = weekdays("days")
        let from = self["from"] == nil ? nil : minute("from")
        let to = self["to"] == nil ? nil : minute("to")
        if self["from"] != nil, self["to"] == nil { refuse("to", "is missing") }
        if self["to"] != nil, self["from"] == nil { refuse("from", "is missing") }
        if let from, from == to { refuse("to", "must be another time than from") }
        let isMeant =
            isNeeded || self["days"] != nil || self["from"] != nil || self["to"] != nil
        guard isMeant || self["timeZone"] != nil else { return nil }
        guard let zone = timeZone("timeZone") else { return nil }
        return GeofenceRule.Hours(days: days ?? .all, from: from, to: to, timeZone: zone)
    }

    private mutating func weekdays(_ field: String) -> GeofenceRule.Weekdays? {
        guard let value = self[field] else { return nil }
        var bits = 0
        if case .array(let values) = value {
            for case .string(let text) in values {
                guard let day = GeofenceRule.Weekdays.names.firstIndex(of: text) else {
                    bits = 0
                    break
                }
                bits |= 1 << day
            }
        }
        guard bits != 0 else {
            refuse(field, #"must be days of the week, such as ["mo","fr"]"#)
            return nil
        }
        return GeofenceRule.Weekdays(bits: bits)
    }

    /// Reads `08:15`, in minutes after midnight.
    private mutating func minute(_ field: String) -> Int? {
        guard let text = string(field) else { return nil }
        let minute = QuietHours.time(text)
        if minute == nil { refuse(field, "must be a time of day, such as 08:15") }
        return minute
    }
}
