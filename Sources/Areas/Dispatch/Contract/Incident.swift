public import EarlyWarning
public import JSON
public import Tracking

/// Somebody in need, as whoever sends help is told of them.
public struct Incident: Hashable, Sendable {
    public let id: UUIDv7
    public var status: Status
    /// How often whoever sends help was called.
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
        /// What has become of it, the oldest first.
        public var events: [Event]

        public init(
            alarm: Monitor.Alarm, phone: String?, fix: Fix?, toldAt: Timestamp,
            events: [Event] = []
        ) {
            (self.alarm, self.phone, self.fix) = (alarm, phone, fix)
            (self.toldAt, self.events) = (toldAt, events)
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

    /// Why help is called: what has points, and which way it is out of bounds. None of the values.
    public var reasons: [String] {
        let score = details.alarm.score
        let extremes = Dictionary(
            score.extremes.map { ($0.parameter, $0.isHigh ? " far too high" : " far too low") },
            uniquingKeysWith: { $1 })
        return score.points.sorted { $0.key < $1.key }.filter { $0.value > 0 }.map {
            "\($0.key.field)\(extremes[$0.key] ?? " unusual")"
        }
    }
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

/// What whoever sends help is told (contract, section 5).
public struct IncidentMessage: Sendable {
    public let incident: Incident
    public let user: Name
    public let name: String
    /// Who says so.
    public let sender: String

    public init(_ incident: Incident, user: Name, name: String, sender: String) {
        (self.incident, self.user, self.name, self.sender) = (incident, user, name, sender)
    }

    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.key("user")
            json.object { json in
                json.member("user", user.text)
                json.member("name", name)
            }
            json.incident(incident)
            json.member("cap", cap.xml)
        }
    }

    /// As a message of the Common Alerting Protocol.
    public var cap: CAPAlert { CAPAlert(self) }
}
