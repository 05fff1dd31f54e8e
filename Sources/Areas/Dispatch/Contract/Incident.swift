public import EarlyWarning
public import JSON
public import Tracking

/// Somebody in need, as dispatch is told of them.
public struct Incident: Hashable, Sendable {
    public let id: UUIDv7
    public var status: Status
    /// How often dispatch was called.
    public var attempts: Int
    /// How much has been told of it, by which its messages are numbered.
    public var messages: Int
    public var details: Details

    public enum Status: String, Hashable, Sendable, CaseIterable {
        case calling
        /// Somebody has said that they send help.
        case acknowledged
        case closed
    }

    /// What is kept encrypted.
    public struct Details: Hashable, Sendable {
        public let alarm: Monitor.Alarm
        /// At which the person may be called.
        public let phone: String?
        /// Where the person last was.
        public var fix: Fix?
        /// When the last message was sent.
        public var toldAt: Timestamp
        /// When each message before the last one was sent, the first one first.
        public var earlier: [Timestamp]
        /// What has become of it, the oldest first.
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

    /// Who has been called so far.
    public struct Escalation: Hashable, Sendable {
        /// How many of the area's ways are used.
        public var ways: Int
        /// In which attempt the last of them was used for the first time.
        public var since: Int
        /// Whether it is retained at the broker.
        public var isRetained: Bool
        /// Whether the groups know that nobody has answered.
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
        /// Who says so.
        public let by: String?
        public let note: String?

        public enum Kind: String, Hashable, Sendable {
            case acknowledged, refused, closed
            /// The person needs no help any more.
            case calledOff = "called-off"
            /// The account was deleted: nobody has said that the person is safe.
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

    /// Why help is called.
    public var reasons: [String] { details.alarm.score.reasons }
}

extension JSONWriter {
    /// What the person is told as well: all but who they are.
    public mutating func incident(_ incident: Incident) {
        let alarm = incident.details.alarm
        member("id", incident.id.description)
        member("status", incident.status.rawValue)
        member("openedAt", incident.openedAt)
        member("reason", alarm.reason.rawValue)
        member("score", alarm.score.total)
        key("reasons")
        array(incident.reasons) { $0.string($1) }
        key("missing")
        array(alarm.score.missing) { $0.string($1.field) }
        member("callback", incident.details.phone)
        key("fix")
        if let fix = incident.details.fix { self.fix(fix) } else { null() }
        member("attempts", incident.attempts)
        if !incident.details.events.isEmpty {
            key("events")
            array(incident.details.events) { json, event in
                json.object { json in
                    json.member("at", event.at)
                    json.member("event", event.kind.rawValue)
                    json.member("by", event.by)
                    json.member("note", event.note)
                }
            }
        }
    }
}

/// What dispatch is told (contract, section 5).
public struct IncidentMessage: Sendable {
    public let incident: Incident
    /// The name of their account, and theirs.
    public let user: String
    public let name: String
    /// Who says so.
    public let sender: String
    /// The name of the area where they are, and the emergency number there.
    public let area: String
    public let number: String
    /// Nil if it is meant.
    public let drill: DrillKind?
    /// Nil in what the broker retains.
    public let condition: PatientCondition?

    public init(
        _ incident: Incident, user: String, name: String, sender: String, area: String,
        number: String, drill: DrillKind? = nil, condition: PatientCondition? = nil
    ) {
        (self.incident, self.user, self.name, self.sender) = (incident, user, name, sender)
        (self.area, self.number, self.drill) = (area, number, drill)
        self.condition = condition
    }

    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.key("user")
            json.person(user, name, condition)
            json.incident(incident)
            if let condition { json.samples(of: condition) }
            json.member("area", area)
            json.member("number", number)
            json.member("drill", drill?.rawValue)
            json.member("cap", cap.xml)
        }
    }

    /// As a message of the Common Alerting Protocol.
    public var cap: CAPAlert { CAPAlert(self) }
}

/// Why dispatch is called although nobody needs it.
public enum DrillKind: String, Hashable, Sendable {
    /// An operator wants to see that everybody does what they have to.
    case exercise
    /// The way is tried by the clock.
    case test
}
