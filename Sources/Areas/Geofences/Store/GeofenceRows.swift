public import Contract
public import Tracking

/// A place of a person or a group, as stored.
public struct GeofenceRow: Hashable, Sendable {
    public var place: OwnPlace
    /// Who made it; nil if their account is gone.
    public let user: UserID?
    /// Whose it is; nil: its maker's.
    public let group: GroupID?
    /// By what an app knows it.
    public var source: String?

    public init(_ place: OwnPlace, of user: UserID?, group: GroupID?, source: String? = nil) {
        (self.place, self.user, self.group, self.source) = (place, user, group, source)
    }

    static let columns = """
        id, user_id, group_id, source, name, kind, latitude_e7, longitude_e7, radius_m
        """

    init(_ row: any SQLRow) throws(StoreError) {
        guard let id = UUIDv7(try row.text(0)), let kind = OwnPlace.Kind(rawValue: try row.text(5)),
            let centre = Coordinate(
                latitudeE7: try row.integer(6), longitudeE7: try row.integer(7))
        else { throw .damagedDocument }
        self.init(
            OwnPlace(
                id: id, name: try row.text(4), kind: kind,
                circle: Geofence(centre: centre, radius: try row.real(8))),
            of: try row.optionalInteger(1).map { UserID(rawValue: $0) },
            group: try row.optionalInteger(2).map { GroupID(rawValue: $0) },
            source: try row.optionalText(3))
    }

    var values: [SQLValue] {
        [
            .text(place.id.description), user.map { SQLValue($0) } ?? .null,
            group.map { .integer($0.rawValue) } ?? .null, SQLValue(source), .text(place.name),
            .text(place.kind.rawValue), .integer(Int64(place.circle.centre.latitudeE7)),
            .integer(Int64(place.circle.centre.longitudeE7)), .real(place.circle.radius),
        ]
    }
}

/// A rule as stored.
public struct GeofenceRuleRow: Hashable, Sendable {
    public let rule: GeofenceRule
    /// Who made it.
    public let user: UserID
    public let geofence: UUIDv7
    public let watched: Watched
    public let told: Told
    /// When somebody has to be there next.
    public var dueAt: Timestamp?
    /// The place as its maker knows it, where others have changed it since; nil: as it is.
    public var known: KnownPlace?

    /// What of a place a rule depends on.
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

    static let columns = """
        id, user_id, geofence_id, event, by_minute, watched_id, watched_group_id, told_id,
        told_group_id, days, from_minute, to_minute, time_zone, is_once, due_at_ms,
        known_name, known_latitude_e7, known_longitude_e7, known_radius_m
        """

    init(_ row: any SQLRow) throws(StoreError) {
        guard let id = UUIDv7(try row.text(0)), let geofence = UUIDv7(try row.text(2)) else {
            throw .damagedDocument
        }
        let event: GeofenceRule.Event
        switch (try row.text(3), try row.optionalInteger(4)) {
        case ("arrives", _): event = .arrives
        case ("leaves", _): event = .leaves
        case ("not-there", let minute?): event = .notThere(by: Int(minute))
        default: throw .damagedDocument
        }
        var hours: GeofenceRule.Hours?
        if let zone = try row.optionalText(12) {
            hours = GeofenceRule.Hours(
                days: GeofenceRule.Weekdays(bits: Int(try row.optionalInteger(9) ?? 127)),
                from: try row.optionalInteger(10).map { Int($0) },
                to: try row.optionalInteger(11).map { Int($0) }, timeZone: zone)
        }
        let watched: Watched
        if let user = try row.optionalInteger(5) {
            watched = .user(UserID(rawValue: user))
        } else if let group = try row.optionalInteger(6) {
            watched = .group(GroupID(rawValue: group))
        } else {
            throw .damagedDocument
        }
        var told = Told.maker
        if let user = try row.optionalInteger(7) {
            told = .user(UserID(rawValue: user))
        } else if let group = try row.optionalInteger(8) {
            told = .group(GroupID(rawValue: group))
        }
        var known: KnownPlace?
        if let name = try row.optionalText(15) {
            guard
                let centre = Coordinate(
                    latitudeE7: try row.integer(16), longitudeE7: try row.integer(17))
            else { throw .damagedDocument }
            known = KnownPlace(
                name: name, circle: Geofence(centre: centre, radius: try row.real(18)))
        }
        self.init(
            GeofenceRule(id: id, event: event, hours: hours, isOnce: try row.integer(13) != 0),
            of: UserID(rawValue: try row.integer(1)), at: geofence, watched: watched, told: told,
            dueAt: try row.optionalTime(14), known: known)
    }

    var values: [SQLValue] {
        func number(_ value: Int?) -> SQLValue { value.map { .integer(Int64($0)) } ?? .null }
        var (watchedUser, watchedGroup) = (SQLValue.null, SQLValue.null)
        switch watched {
        case .user(let user): watchedUser = SQLValue(user)
        case .group(let group): watchedGroup = .integer(group.rawValue)
        }
        var (toldUser, toldGroup) = (SQLValue.null, SQLValue.null)
        switch told {
        case .maker: break
        case .user(let user): toldUser = SQLValue(user)
        case .group(let group): toldGroup = .integer(group.rawValue)
        }
        var minute: Int?
        if case .notThere(let by) = rule.event { minute = by }
        return [
            .text(rule.id.description), SQLValue(user), .text(geofence.description),
            .text(rule.event.text), number(minute), watchedUser, watchedGroup, toldUser, toldGroup,
            number(rule.hours?.days.bits), number(rule.hours?.from), number(rule.hours?.to),
            SQLValue(rule.hours?.timeZone), .integer(rule.isOnce ? 1 : 0),
            dueAt.map { SQLValue($0) } ?? .null, SQLValue(known?.name),
            number(known.map { Int($0.circle.centre.latitudeE7) }),
            number(known.map { Int($0.circle.centre.longitudeE7) }),
            known.map { .real($0.circle.radius) } ?? .null,
        ]
    }
}

/// Whether somebody agrees that others are told of them by a rule, as stored.
public struct GeofenceConsentRow: Hashable, Sendable {
    public let rule: UUIDv7
    public let user: UserID
    /// Nil until it is answered.
    public var agrees: Bool?
    public var answeredAt: Timestamp?

    public init(rule: UUIDv7, user: UserID, agrees: Bool? = nil, answeredAt: Timestamp? = nil) {
        (self.rule, self.user, self.agrees, self.answeredAt) = (rule, user, agrees, answeredAt)
    }
}
