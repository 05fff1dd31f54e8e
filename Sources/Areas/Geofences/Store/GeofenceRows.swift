public import Contract
public import Tracking

/// A stored place of a person or a group.
public struct GeofenceRow: Hashable, Sendable {
    public var place: OwnPlace
    /// The maker; nil if their account is deleted.
    public let user: UserID?
    /// The owning group; nil if its maker owns it.
    public let group: GroupID?
    /// The id by which an app knows it.
    public var source: String?

    public init(_ place: OwnPlace, of user: UserID?, group: GroupID?, source: String? = nil) {
        (self.place, self.user, self.group, self.source) = (place, user, group, source)
    }

    static let record = Record<GeofenceRow>(
        "geofences",
        Column("id", .id, \.place.id), Column("user_id", .null(or: .number), \.user),
        Column("group_id", .null(or: .number), \.group),
        Column("source", .null(or: .text), \.source), Column("name", .text, \.place.name),
        Column("kind", .word(of: OwnPlace.Kind.self), \.place.kind),
        Column("latitude_e7", "longitude_e7", "radius_m", type: .circle, \.place.circle)
    ) { id, user, group, source, name, kind, circle in
        GeofenceRow(
            OwnPlace(id: id, name: name, kind: kind, circle: circle), of: user, group: group,
            source: source)
    }
}

/// A stored rule.
public struct GeofenceRuleRow: Hashable, Sendable {
    public let rule: GeofenceRule
    /// The maker.
    public let user: UserID
    public let geofence: UUIDv7
    public let watched: Watched
    public let told: Told
    /// The next time at which a person has to be there.
    public var dueAt: Timestamp?
    /// The place as its maker knows it, if others have changed it since; nil if it is unchanged.
    public var known: KnownPlace?

    /// The properties of a place that a rule depends on.
    public struct KnownPlace: Hashable, Sendable {
        public let name: String
        public let circle: Geofence

        public init(_ place: OwnPlace) { (name, circle) = (place.name, place.circle) }

        fileprivate init(name: String, circle: Geofence) {
            (self.name, self.circle) = (name, circle)
        }
    }

    public enum Watched: Hashable, Sendable {
        case user(UserID)
        case group(GroupID)
    }

    public enum Told: Hashable, Sendable {
        case maker
        case user(UserID)
        case group(GroupID)
    }

    public init(
        _ rule: GeofenceRule, of user: UserID, at geofence: UUIDv7, watched: Watched, told: Told,
        dueAt: Timestamp?, known: KnownPlace? = nil
    ) {
        (self.rule, self.user, self.geofence) = (rule, user, geofence)
        (self.watched, self.told, self.dueAt, self.known) = (watched, told, dueAt, known)
    }

    static let record = Record<GeofenceRuleRow>(
        "geofence_rules",
        Column("id", .id, \.rule.id), Column("user_id", .number, \.user),
        Column("geofence_id", .id, \.geofence),
        Column("event", "by_minute", type: .event, \.rule.event),
        Column("watched_id", "watched_group_id", type: .watched, \.watched),
        Column("told_id", "told_group_id", type: .told, \.told),
        Column(
            "time_zone", "days", "from_minute", "to_minute", type: .null(or: .hours),
            \.rule.hours),
        Column("is_once", .flag, \.rule.isOnce), Column("due_at_ms", .null(or: .time), \.dueAt),
        Column(
            "known_name", "known_latitude_e7", "known_longitude_e7", "known_radius_m",
            type: .null(or: .known), \.known)
    ) { id, user, geofence, event, watched, told, hours, isOnce, dueAt, known in
        GeofenceRuleRow(
            GeofenceRule(id: id, event: event, hours: hours, isOnce: isOnce), of: user,
            at: geofence, watched: watched, told: told, dueAt: dueAt, known: known)
    }
}

/// A person's consent to a rule that notifies others about them, as stored.
public struct GeofenceConsentRow: Hashable, Sendable {
    public let rule: UUIDv7
    public let user: UserID
    /// Nil until it is answered.
    public var agrees: Bool?
    public var answeredAt: Timestamp?

    public init(rule: UUIDv7, user: UserID, agrees: Bool? = nil, answeredAt: Timestamp? = nil) {
        (self.rule, self.user, self.agrees, self.answeredAt) = (rule, user, agrees, answeredAt)
    }
    static let record = Record<GeofenceConsentRow>(
        "geofence_consents", key: 2,
        Column("rule_id", .id, \.rule), Column("user_id", .number, \.user),
        Column("agrees", .null(or: .flag), \.agrees),
        Column("answered_at_ms", .null(or: .time), \.answeredAt)
    ) { GeofenceConsentRow(rule: $0, user: $1, agrees: $2, answeredAt: $3) }
}

/// A stored presence.
struct GeofencePresenceRow: Sendable {
    let geofence: UUIDv7
    let user: UserID
    let presence: GeofencePresence

    static let record = Record<GeofencePresenceRow>(
        "geofence_presences", key: 2,
        Column("geofence_id", .id, \.geofence), Column("user_id", .number, \.user),
        Column("side", .null(or: .word(of: Geofence.Side.self)), \.presence.side),
        Column("since_ms", .null(or: .time), \.presence.since),
        Column("candidate", .null(or: .word(of: Geofence.Side.self)), \.presence.candidate),
        Column("candidate_since_ms", .null(or: .time), \.presence.candidateSince),
        Column("is_clear", .flag, \.presence.isClear)
    ) { geofence, user, side, since, candidate, candidateSince, isClear in
        GeofencePresenceRow(
            geofence: geofence, user: user,
            presence: GeofencePresence(
                side: side, since: since, candidate: candidate, candidateSince: candidateSince,
                isClear: isClear))
    }
}

extension ColumnType where Value == Geofence {
    /// The centre, and the radius in metres.
    fileprivate static let circle = ColumnType(width: 3) { row, place in
        guard let centre = try ColumnType<Coordinate>.coordinate.read(row, place) else {
            return nil
        }
        return Geofence(centre: centre, radius: try row.real(place + 2))
    } write: {
        ColumnType<Coordinate>.coordinate.write($0.centre) + [.real($0.radius)]
    }
}

extension ColumnType where Value == GeofenceRuleRow.KnownPlace {
    fileprivate static let known = ColumnType(width: 4) { row, place in
        guard let circle = try ColumnType<Geofence>.circle.read(row, place + 1) else { return nil }
        return GeofenceRuleRow.KnownPlace(name: try row.text(place), circle: circle)
    } write: {
        [.text($0.name)] + ColumnType<Geofence>.circle.write($0.circle)
    }
}

extension ColumnType where Value == GeofenceRule.Event {
    /// The word, and the minute for `not-there`.
    fileprivate static let event = ColumnType(width: 2) { row, place in
        switch (try row.text(place), try row.optionalInteger(place + 1)) {
        case ("arrives", _): .arrives
        case ("leaves", _): .leaves
        case ("not-there", let minute?): .notThere(by: Int(minute))
        default: nil
        }
    } write: { event in
        guard case .notThere(let minute) = event else { return [.text(event.text), .null] }
        return [.text(event.text), .integer(Int64(minute))]
    }
}

extension ColumnType where Value == GeofenceRule.Hours {
    fileprivate static let hours = ColumnType(width: 4) { row, place in
        GeofenceRule.Hours(
            days: GeofenceRule.Weekdays(bits: Int(try row.optionalInteger(place + 1) ?? 127)),
            from: try row.optionalInteger(place + 2).map { Int($0) },
            to: try row.optionalInteger(place + 3).map { Int($0) }, timeZone: try row.text(place))
    } write: { hours in
        [
            .text(hours.timeZone), .integer(Int64(hours.days.bits)),
            SQLValue(hours.from.map { Int64($0) }), SQLValue(hours.to.map { Int64($0) }),
        ]
    }
}

extension ColumnType where Value == GeofenceRuleRow.Watched {
    fileprivate static let watched = ColumnType(width: 2) { row, place in
        if !row.isNull(place) { return .user(UserID(rawValue: try row.integer(place))) }
        return try row.optionalInteger(place + 1).map { .group(GroupID(rawValue: $0)) }
    } write: { watched in
        switch watched {
        case .user(let user): [SQLValue(user), .null]
        case .group(let group): [.null, SQLValue(group)]
        }
    }
}

extension ColumnType where Value == GeofenceRuleRow.Told {
    fileprivate static let told = ColumnType(width: 2) { row, place in
        switch try ColumnType<GeofenceRuleRow.Watched>.watched.read(row, place) {
        case .user(let user): .user(user)
        case .group(let group): .group(group)
        case nil: .maker
        }
    } write: { told in
        switch told {
        case .maker: [.null, .null]
        case .user(let user): [SQLValue(user), .null]
        case .group(let group): [.null, SQLValue(group)]
        }
    }
}
