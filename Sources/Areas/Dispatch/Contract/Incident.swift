public import EarlyWarning
public import Tracking

/// A person in need, as reported to dispatch.
public struct Incident: Hashable, Sendable {
    public let id: UUIDv7
    public var status: Status
    /// The number of calls to dispatch.
    public var attempts: Int
    /// The number of messages about it, which are numbered by it.
    public var messages: Int
    public var details: Details

    public enum Status: String, Hashable, Sendable, CaseIterable {
        case calling
        /// Help is being sent.
        case acknowledged
        case closed
    }

    /// The encrypted part.
    public struct Details: Hashable, Sendable {
        public let alarm: Monitor.Alarm
        /// The person's phone number.
        public let phone: String?
        /// The person's last position.
        public var fix: Fix?
        /// The time of the last message.
        public var toldAt: Timestamp
        /// The times of the messages before the last one, the first one first.
        public var earlier: [Timestamp]
        /// Its history, the oldest event first.
        public var events: [Event]
        public var escalation: Escalation

        public init(
            alarm: Monitor.Alarm, phone: String?, fix: Fix?, toldAt: Timestamp,
            earlier: [Timestamp] = [], events: [Event] = [], escalation: Escalation = Escalation()
        ) {
            (self.alarm, self.phone, self.fix) = (alarm, phone, fix)
            (self.toldAt, self.earlier) = (toldAt, earlier)
            (self.events, self.escalation) = (events, escalation)
        }
    }

    /// The calls made so far.
    public struct Escalation: Hashable, Sendable {
        /// The number of the area's ways in use.
        public var ways: Int
        /// The attempt in which the last of them was first used.
        public var since: Int
        /// Whether it is retained at the broker.
        public var isRetained: Bool
        /// Whether the groups were notified that there was no answer.
        public var areGroupsTold: Bool

        public init(
            ways: Int = 1, since: Int = 1, isRetained: Bool = true, areGroupsTold: Bool = false
        ) {
            (self.ways, self.since) = (ways, since)
            (self.isRetained, self.areGroupsTold) = (isRetained, areGroupsTold)
        }
    }

    public struct Event: Hashable, Sendable {
        public let at: Timestamp
        public let kind: Kind
        /// The person who says so.
        public let by: String?
        public let note: String?

        public enum Kind: String, Hashable, Sendable, CaseIterable {
            case acknowledged, refused, closed
            /// The person no longer needs help.
            case calledOff = "called-off"
            /// The account was deleted: that does not mean that the person is safe.
            case accountDeleted = "account-deleted"
        }

        public init(at: Timestamp, _ kind: Kind, by: String? = nil, note: String? = nil) {
            (self.at, self.kind, self.by, self.note) = (at, kind, by, note)
        }
    }

    public init(
        id: UUIDv7, status: Status = .calling, attempts: Int = 1, messages: Int = 1,
        details: Details
    ) {
        (self.id, self.status, self.attempts) = (id, status, attempts)
        (self.messages, self.details) = (messages, details)
    }

    public var openedAt: Timestamp { id.time }

    /// Begins the next message.
    public mutating func beginMessage(at now: Timestamp) {
        details.earlier.append(details.toldAt)
        details.toldAt = now
        messages += 1
    }

    /// The reasons for calling help.
    public var reasons: [String] { details.alarm.score.reasons }
}

extension Incident {
    /// What the person also sees: everything except their identity.
    public static let payload = Payload<Incident>(
        .init("id", .uuid) { $0.id },
        .init("status", .choice) { $0.status },
        .init("openedAt", .time) { $0.openedAt },
        .init("reason", .choice) { $0.details.alarm.reason },
        .init("score", .count) { $0.details.alarm.score.total },
        .init("reasons", .list(of: .text)) { $0.reasons },
        .init("missing", .list(of: .choice(of: Parameter.allCases.map(\.field)))) {
            $0.details.alarm.score.missing.map(\.field)
        },
        .init("callback", .text) { $0.details.phone },
        .init("fix", .orNull(.fix)) { $0.details.fix },
        .init("attempts", .count) { $0.attempts },
        .init(
            "events",
            .list(
                of: .object(
                    .init("at", .time) { $0.at },
                    .init("event", .choice) { $0.kind },
                    .init("by", .text) { $0.by },
                    .init("note", .text) { $0.note }))
        ) { $0.details.events.isEmpty ? nil : $0.details.events })

    public static let list = Payload.page("incidents", of: payload)
}

/// The message to dispatch (contract, section 5).
public struct IncidentMessage: Sendable {
    public let incident: Incident
    /// The account's name, followed by the person's.
    public let user: String
    public let name: String
    /// The sender in CAP messages.
    public let sender: String
    /// The name of the person's area, followed by its emergency number.
    public let area: String
    public let number: String
    /// Nil for a real call.
    public let drill: DrillKind?
    /// Nil in the retained message.
    public let condition: PatientCondition?

    public init(
        _ incident: Incident, user: String, name: String, sender: String, area: String,
        number: String, drill: DrillKind? = nil, condition: PatientCondition? = nil
    ) {
        (self.incident, self.user, self.name, self.sender) = (incident, user, name, sender)
        (self.area, self.number, self.drill) = (area, number, drill)
        self.condition = condition
    }

    public static let payload = Payload<IncidentMessage>(
        "Incident",
        .init("user", .object(PatientCondition.person)) { ($0.user, $0.name, $0.condition) },
        .members(of: Incident.payload) { $0.incident },
        .init("vitals", .samples) { $0.condition },
        .init("area", .text) { $0.area },
        .init("number", .text) { $0.number },
        .init("drill", .choice) { $0.drill },
        .init("cap", .text) { $0.cap.xml })

    public var payload: [UInt8] { IncidentMessage.payload.bytes(of: self) }

    /// The Common Alerting Protocol message.
    public var cap: CAPAlert { CAPAlert(self) }
}

/// The purpose of a call without an emergency.
public enum DrillKind: String, Hashable, Sendable, CaseIterable {
    /// An operator tests that everyone does what is expected.
    case exercise
    /// A scheduled test of the way.
    case test
}
