public import JSON
public import Tracking

/// A member's state as a group sees it (contract, section 5).
public struct MemberState: Sendable {
    public let user: Name
    public let name: String
    public let tracker: Tracker
    public let session: Session
    public let rules: Rules
    public let profile: Profile
    /// The members of this group who help, in an SOS.
    public let responses: [AlertResponse]

    public init(
        user: Name, name: String, tracker: Tracker, session: Session, rules: Rules,
        profile: Profile = Profile(), responses: [AlertResponse] = []
    ) {
        self.user = user
        self.name = name
        self.tracker = tracker
        self.session = session
        self.rules = rules
        self.profile = profile
        self.responses = responses
    }

    public var payload: [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.memberState(self)
        return json.bytes
    }

    /// What ``JSONWriter/memberState(_:reached:)`` writes, by hand because it is written with every
    /// fix, and without the channels.
    static let row = PayloadRow(
        "MemberState",
        [
            .init("user", .text(.name)), .init("name", .text(.any)),
            .init("state", WrittenKind.state.schema),
            .init("online", .boolean), .init("leftAt", isRequired: false, .text(.time)),
            .init("warnings", .array(of: .choice(Warnings.all.map(\.name)))),
            .init("fix", .either([.payload("Fix"), .null])),
            .init("journey", isRequired: false, .object(journey)),
            .init("cause", isRequired: false, WrittenKind<Emergency.Cause>.choice.schema),
            .init("assistedAt", isRequired: false, .text(.time)),
            .init("responses", isRequired: false, .array(of: AlertResponse.payload.schema)),
            .init("phone", isRequired: false, .text(.any)),
            .init("avatar", isRequired: false, .text(.any)),
            .init("precision", isRequired: false, WrittenKind<Precision>.choice.schema),
            .init("until", isRequired: false, .text(.time)), .init("since", .text(.time)),
            .init("version", WrittenKind.count.schema),
        ])

    private static let journey: [Schema.Member] = [
        .init("destination", isRequired: false, WrittenKind.destination.schema),
        .init("eta", .text(.time)), .init("startedAt", .text(.time)),
        .init("remainingDistance", isRequired: false, WrittenKind.count.schema, "metres"),
    ]
}

extension WrittenKind where Value == Destination {
    static let destination = WrittenKind(
        .object(
            Coordinate.members + [
                .init("name", isRequired: false, .text(.any)),
                .init("radius", .number(0 ... .infinity), "metres"),
            ])
    ) { $1.destination($0) }
}

extension JSONWriter {
    /// - Parameter reached: the channels that reach the member, if requested.
    public mutating func memberState(_ member: MemberState, reached: [Reach]? = nil) {
        let (tracker, session) = (member.tracker, member.session)
        let fix = tracker.visibleFix(in: session)
        object { json in
            json.key("user")
            json.string(member.user.text)
            json.key("name")
            json.string(member.name)
            json.key("state")
            json.string(session.state.name)
            json.key("online")
            json.bool(tracker.isOnline)
            if let leftAt = tracker.leftAt {
                json.key("leftAt")
                json.time(leftAt)
            }
            json.key("warnings")
            json.array(tracker.warnings(in: session).names) { $0.string($1) }
            json.key("fix")
            if let fix { json.fix(fix) } else { json.null() }
            if let journey = tracker.followedJourney(in: session.group) {
                json.key("journey")
                json.journey(journey, from: fix, member.rules)
            }
            if session.state == .sos, let emergency = tracker.emergency {
                json.key("cause")
                json.string(emergency.cause.rawValue)
                if let assistedAt = emergency.assistedAt {
                    json.key("assistedAt")
                    json.time(assistedAt)
                }
                if !member.responses.isEmpty {
                    json.key("responses")
                    json.array(member.responses) { $0.object(AlertResponse.payload, $1) }
                }
            }
            json.member("phone", member.profile.phone(in: session.state)?.text)
            json.member("avatar", member.profile.avatar)
            if session.precision != .exact {
                json.key("precision")
                json.string(session.precision.rawValue)
            }
            if let until = session.until, session.state.isShared {
                json.key("until")
                json.time(until)
            }
            json.key("since")
            json.time(session.since)
            json.key("version")
            json.number(session.version)
            if let reached {
                json.key("reached")
                json.array(reached) { $0.reach($1) }
            }
        }
    }

    /// - Parameter fix: the position from which the remaining distance is measured, as the crow
    ///   flies.
    public mutating func journey(_ journey: Journey, from fix: Fix?, _ rules: Rules) {
        object { json in
            if let destination = journey.destination {
                json.key("destination")
                json.destination(destination, rules)
            }
            json.key("eta")
            json.time(journey.eta)
            json.key("startedAt")
            json.time(journey.startedAt)
            guard let fix, let destination = journey.destination else { return }
            json.key("remainingDistance")
            json.number(fix.coordinate.distance(to: destination.coordinate).rounded())
        }
    }

    mutating func destination(_ destination: Destination, _ rules: Rules = Rules()) {
        object { json in
            json.coordinate(destination.coordinate)
            json.member("name", destination.name)
            json.key("radius")
            json.number(destination.radius ?? rules.arrivalRadius)
        }
    }
}

extension WrittenKind where Value == Session.State {
    static let state = WrittenKind(.choice(["inactive", "active", "routing", "sos"])) {
        $1.string($0.name)
    }
}
