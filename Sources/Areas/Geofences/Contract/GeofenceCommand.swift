internal import JSON
public import Tracking

/// A user's requests about places and rules.
public enum GeofenceCommand: AreaCommand {
    /// - `group`: the owner; nil for the user's own place.
    case create(OwnPlaceDetails, group: GroupKey?)
    case update(UUIDv7, OwnPlaceDetails)
    case delete(UUIDv7)
    case list(after: UUIDv7?)
    case addRule(UUIDv7, GeofenceRuleDetails)
    case listRules(after: UUIDv7?)
    case answer(UUIDv7, agrees: Bool)
    case endRule(UUIDv7)
}

/// The details of a place in a request.
public struct OwnPlaceDetails: Sendable {
    public let name: String?
    public let centre: Coordinate?
    /// Metres.
    public let radius: Double?
    public let kind: OwnPlace.Kind?
}

/// The details of a rule in a request.
public struct GeofenceRuleDetails: Sendable {
    public let event: GeofenceRule.Event
    public let watched: Watched
    public let told: Told
    public let hours: GeofenceRule.Hours?
    public let isOnce: Bool

    public enum Watched: Hashable, Sendable {
        case user(Name)
        /// All members who agree.
        case group(GroupKey)
    }

    public enum Told: Hashable, Sendable {
        case me
        case user(Name)
        case group(GroupKey)
    }
}

extension OwnPlaceDetails {
    private static let name = Form("name", .displayName)
    private static func radius(_ words: String) -> Form<Double?> {
        Form("radius", .number(OwnPlace.radius), words).ifPresent
    }
    private static let kind = Form("kind", .choice(of: OwnPlace.Kind.self)).ifPresent

    /// All fields that a place needs.
    static let whole = Form(name, Form.coordinate, radius("metres, default 150"), kind) {
        OwnPlaceDetails(name: $0.text, centre: $1, radius: $2, kind: $3)
    }

    /// The fields to change.
    static let part = Form(name.ifPresent, Form.coordinate.ifPresent, radius("metres"), kind) {
        OwnPlaceDetails(name: $0?.text, centre: $1, radius: $2, kind: $3)
    }
}

extension GeofenceRuleDetails {
    enum When: String, CaseIterable {
        case arrives, leaves
        case notThere = "not-there"
    }

    static let form: Form<GeofenceRuleDetails> = .cases("when", of: When.self) { when in
        switch when {
        case .arrives: details(Form { .arrives }, hours.ifPresent)
        case .leaves: details(Form { .leaves }, hours.ifPresent)
        case .notThere: details(by.map { .notThere(by: $0) }, hours.map { $0 })
        }
    }

    private static func details(
        _ event: Form<GeofenceRule.Event>, _ hours: Form<GeofenceRule.Hours?>
    ) -> Form<GeofenceRuleDetails> {
        Form(event, watched, told, hours, once) { event, watched, told, hours, once in
            GeofenceRuleDetails(
                event: event, watched: watched, told: told, hours: hours, isOnce: once)
        }
    }

    private static let by = Form("by", .timeOfDay, "such as `08:15`")

    private static let watched = userOrGroup({ Watched.user($0) }, { .group($0) })

    private static let told = Form(
        "tell", .object(userOrGroup({ Told.user($0) }, { .group($0) })),
        "who is notified, if not me"
    ).or(.me)

    /// Exactly one of the two.
    private static func userOrGroup<Value>(
        _ user: @escaping @Sendable (Name) -> Value,
        _ group: @escaping @Sendable (GroupKey) -> Value
    ) -> Form<Value> {
        Form.either(Form("user", .name).map(user), Form.group.map(group)).reading {
            value, fields, _ in
            guard fields["user"] != nil, fields["group"] != nil else { return value }
            fields.refuse("group", "must not be given together with user")
            return nil
        }
    }

    /// The times of day and the zone; if any field is given, so must be the zone.
    private static let hours = Form(
        Form("days", .weekdays).ifPresent, QuietHours.times.ifPresent,
        Form("timeZone", .timeZone, "for the local time, required with `days`, `from` and `to`")
    ) { days, times, zone in
        GeofenceRule.Hours(days: days ?? .all, from: times?.from, to: times?.to, timeZone: zone)
    }

    private static let once = Form("once", .boolean, "whether it ends once it has applied")
        .or(false)
}

extension Kind where Value == GeofenceRule.Weekdays {
    fileprivate static let weekdays = Kind(.array(of: .choice(Value.names))) {
        value, field, fields, _ in
        let texts = if case .array(let values) = value { values.map(\.text) } else { [String?]() }
        let days = texts.compactMap { $0.flatMap { Value.names.firstIndex(of: $0) } }
        guard !days.isEmpty, days.count == texts.count else {
            fields.refuse(field, #"must be days of the week, such as ["mo","fr"]"#)
            return nil
        }
        return Value(bits: days.reduce(0) { $0 | 1 << $1 })
    }
}
