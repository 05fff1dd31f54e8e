internal import JSON
internal import Languages
public import Tracking

extension NoticeKind {
    private static let place: [Member] = [.uuid("geofence"), .text("placeName", as: "place")]

    static let placeArrived = NoticeKind(
        "place-arrived", place + [.time("crossedAt", as: "time")], pace: .kind,
        says: .text(.placeArrived))
    static let placeLeft = NoticeKind(
        "place-left", place + [.time("crossedAt", as: "time")], pace: .kind,
        says: .text(.placeLeft))
    /// A notice from the reader's own rule: it is never replaced, and has a limit of its own.
    static let placeMissed = NoticeKind(
        "place-missed", missed, share: .missed, pace: .unlimited, says: missedWords)
    /// A notice from another user's rule: it does not count towards the reader's own limit.
    static let placeMissedByOthers = NoticeKind(
        "place-missed", filed: "place-missed-by-others", missed, pace: .kind,
        latest: .of("geofence"), says: missedWords)
    private static let missed = place + [.time("dueAt", as: "time"), .bool("known")]
    private static let missedWords = Words.text {
        $0["known"] == .bool(true) ? .placeMissed : .placeMissedUnknown
    }

    static let placeRuleAsked = rule("asked", says: .placeRuleAsked)
    static let placeRuleAgreed = rule(
        "agreed", pace: .latest("rule"), replaces: answers, says: .placeRuleAgreed)
    static let placeRuleRefused = rule(
        "refused", pace: .latest("rule"), replaces: answers, says: .placeRuleRefused)
    /// A rule that has ended is recreated under another identifier.
    static let placeRuleEnded = rule("ended", of: "placeName", says: .placeRuleEnded)
    /// The kinds of answers to a rule, of which the newest replaces the others.
    private static let answers = ["place-rule-agreed", "place-rule-refused"]

    private static func rule(
        _ name: String, of thing: String = "rule", pace: Pace = .kind, replaces: [String]? = nil,
        says text: ServerText
    ) -> NoticeKind {
        NoticeKind(
            "place-rule-\(name)", [.uuid("rule"), .text("placeName", as: "place")], pace: pace,
            latest: .of(thing), replaces: replaces, says: .text(text))
    }

    static let placeChanged = NoticeKind(
        "place-changed",
        place + [
            .text("was", as: "was"), .number("metres", as: "metres"),
            .number("radius", as: "radius"), .number("radiusWas", as: "before"),
            Member.uuid("rule").optional, Member.number("latitudeWasE7").optional.hidden,
            Member.number("longitudeWasE7").optional.hidden,
        ],
        share: .places, pace: .kind, latest: .of("geofence"),
        says: .text { $0["rule"] == nil ? .placeChanged : .placeChangedConfirm })
}

extension Notice {
    /// The difference between a place and the one that the reader knows.
    public struct PlaceChange: Hashable, Sendable {
        public let geofence: UUIDv7
        public let name: String
        public let was: String
        /// The distance between the centres.
        public let metres: Int
        /// Metres.
        public let radius: Int
        public let radiusWas: Int
        /// The centre when the reader last saw it: never sent, and unknown for notices by an
        /// earlier Kith.
        public let centreWas: Coordinate?
        /// The reader's rule that is suspended until they confirm the place.
        public var rule: UUIDv7?

        public init(
            _ geofence: UUIDv7, name: String, was: String, metres: Int, radius: Int,
            radiusWas: Int, centreWas: Coordinate?, rule: UUIDv7?
        ) {
            (self.geofence, self.name, self.was, self.metres) = (geofence, name, was, metres)
            (self.radius, self.radiusWas) = (radius, radiusWas)
            (self.centreWas, self.rule) = (centreWas, rule)
        }
    }

    public enum RuleChange: Hashable, Sendable {
        /// The user is asked whether others may be notified about their presence.
        case asked
        /// The person whom the user asked agrees, or refuses, or no longer agrees.
        case agreed, refused
        /// A rule that notified the user has ended.
        case ended
    }
}

extension Notice.News {
    private static func place(_ geofence: UUIDv7, _ name: String) -> [String: JSONValue?] {
        ["geofence": .string(geofence.description), "placeName": .string(name)]
    }

    /// A person has arrived at a place, or left it.
    public static func placeCrossed(
        _ geofence: UUIDv7, name: String, _ crossing: GeofencePresence.Crossing, at time: Timestamp
    ) -> Notice.News {
        .init(
            crossing == .arrived ? .placeArrived : .placeLeft,
            place(geofence, name).merging(["crossedAt": .time(time)]) { $1 })
    }

    /// A person is not at a place where they should be by that time.
    ///
    /// - Parameters:
    ///   - isKnown: whether their position is known.
    ///   - isOwn: whether the reader made the rule.
    public static func placeMissed(
        _ geofence: UUIDv7, name: String, at time: Timestamp, isKnown: Bool, isOwn: Bool
    ) -> Notice.News {
        .init(
            isOwn ? .placeMissed : .placeMissedByOthers,
            place(geofence, name).merging(["dueAt": .time(time), "known": .bool(isKnown)]) { $1 })
    }

    /// A change of a rule about a place.
    public static func placeRule(_ rule: UUIDv7, place: String, _ change: Notice.RuleChange)
        -> Notice.News
    {
        let kind: NoticeKind =
            switch change {
            case .asked: .placeRuleAsked
            case .agreed: .placeRuleAgreed
            case .refused: .placeRuleRefused
            case .ended: .placeRuleEnded
            }
        return .init(kind, ["rule": .string(rule.description), "placeName": .string(place)])
    }

    /// A place on which rules of the user, or rules that notify the user, depend has been changed.
    public static func placeChanged(_ change: Notice.PlaceChange) -> Notice.News {
        func number(_ value: Int) -> JSONValue { .number(Double(value)) }
        return .init(
            .placeChanged,
            place(change.geofence, change.name).merging([
                "was": .string(change.was), "metres": number(change.metres),
                "radius": number(change.radius), "radiusWas": number(change.radiusWas),
                "rule": change.rule.map { .string($0.description) },
                "latitudeWasE7": change.centreWas.map { number(Int($0.latitudeE7)) },
                "longitudeWasE7": change.centreWas.map { number(Int($0.longitudeE7)) },
            ]) { $1 })
    }

    /// The place before a ``placeChanged(_:)``: its name, its centre and its radius in metres; nil
    /// if unknown.
    public var placeBefore: (name: String, centre: Coordinate, radius: Int)? {
        guard kind.filed == NoticeKind.placeChanged.filed, let name = text("was"),
            let radius = self["radiusWas"]?.integer,
            let latitude = self["latitudeWasE7"]?.integer,
            let longitude = self["longitudeWasE7"]?.integer,
            let centre = Coordinate(latitudeE7: latitude, longitudeE7: longitude)
        else { return nil }
        return (name, centre, Int(clamping: radius))
    }
}
