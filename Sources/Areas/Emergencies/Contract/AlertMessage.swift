public import Gazetteer
internal import JSON
public import Tracking

/// An alert as its group receives it (contract, section 5).
public struct AlertMessage: Sendable {
    public let alert: Alert
    public let group: GroupKey
    public let user: Name
    public let name: String
    /// The name in sentences: with the user name if another member's name looks the same.
    public var shownName: String
    /// The members who have seen it, in the order in which they did.
    public var acknowledgedBy: [Name]
    /// 0 at first, then incremented.
    public var repetition: Int
    /// The members who help, in the order of their responses.
    public var responses: [AlertResponse]
    /// The emergency number at the person's position; nil unless the alert calls for help.
    public var number: String?
    /// A description of the alert's own position, never more precise than it.
    public var place: PlaceDescription?
    /// The time of sending: a repetition states its position's age at that time.
    public var saidAt: Timestamp

    public init(
        _ alert: Alert, group: GroupKey, user: Name, name: String, acknowledgedBy: [Name] = [],
        responses: [AlertResponse] = [], repetition: Int = 0, number: String? = nil,
        saidAt: Timestamp? = nil
    ) {
        self.alert = alert
        self.group = group
        self.user = user
        self.name = name
        shownName = name
        self.acknowledgedBy = acknowledgedBy
        self.responses = responses
        self.repetition = repetition
        self.number = number
        self.saidAt = saidAt ?? alert.at
    }

    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.key("id")
            json.string(alert.id.description)
            json.key("kind")
            json.string(alert.kind.rawValue)
            json.key("group")
            json.string(group.text)
            json.key("user")
            json.string(user.text)
            json.key("name")
            json.string(name)
            json.key("at")
            json.time(alert.at)
            if let fix = alert.fix {
                json.key("fix")
                json.fix(fix)
                json.key("fixAge")
                json.number(age(of: fix))
            }
            if let eta = alert.eta {
                json.key("journey")
                json.object { json in
                    if let destination = alert.destination {
                        json.key("destination")
                        json.destination(destination)
                    }
                    json.member("eta", eta)
                }
            }
            json.flag("journeyWaits", alert.journeyWaits)
            json.flag("clockWrong", alert.isClockWrong)
            json.member("number", number)
            json.key("text")
            json.string(text)
            json.key("acknowledgedBy")
            json.array(acknowledgedBy) { $0.string($1.text) }
            json.responses(responses)
            if repetition > 0 {
                json.key("repetition")
                json.number(repetition)
            }
        }
    }
}

extension AlertMessage {
    /// The properties that determine whether an alert waits for an offline device.
    public struct Heading: Hashable, Sendable {
        public let user: Name
        public let kind: Alert.Kind
        /// Whether it only updates who has seen an alert that was sent before; `alert.list` has
        /// that.
        public let isUpdate: Bool

        public init(user: Name, kind: Alert.Kind, isUpdate: Bool = false) {
            (self.user, self.kind, self.isUpdate) = (user, kind, isUpdate)
        }

        /// - Parameter payload: a published alert; nil for anything else.
        public init?(_ payload: [UInt8]) {
            guard let value = JSONValue(parsing: payload, isOurs: true),
                case .string(let user)? = value["user"], let name = Name(user),
                case .string(let kind)? = value["kind"], let kind = Alert.Kind(rawValue: kind)
            else { return nil }
            let isSeen = value["acknowledgedBy"].map { $0 != .array([]) } ?? false
            self.init(user: name, kind: kind, isUpdate: isSeen && value["repetition"] == nil)
        }
    }
}
