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

    /// `user` and `name` are absent in an ``ErasureAlert``.
    public static let payload = Payload<AlertMessage>(
        "Alert",
        .init("id", .uuid) { $0.alert.id },
        .init("kind", .choice(of: Alert.Kind.allCases.map(\.rawValue) + [ErasureAlert.kind])) {
            $0.alert.kind.rawValue
        },
        .init("group", .group) { $0.group },
        .init("user", .name) { $0.user as Name? },
        .init("name", .text) { $0.name as String? },
        .init("at", .time) { $0.alert.at },
        .init("fix", .fix) { $0.alert.fix },
        .init("fixAge", .count, "seconds") { message in message.alert.fix.map(message.age) },
        .init("journey", .object(journey)) { message in
            message.alert.eta.map { (message.alert.destination, eta: $0) }
        },
        .flag("journeyWaits") { $0.alert.journeyWaits },
        .flag("clockWrong") { $0.alert.isClockWrong },
        .init("number", .text) { $0.number },
        .init("text", .text) { $0.text },
        .init("acknowledgedBy", .list(of: .name)) { $0.acknowledgedBy },
        .init("responses", .list(of: .object(AlertResponse.payload))) {
            $0.responses.isEmpty ? nil : $0.responses
        },
        .init("repetition", .count) { $0.repetition > 0 ? $0.repetition : nil })

    private static let journey = Payload<(destination: Destination?, eta: Timestamp)>(
        .init("destination", .destination) { $0.destination },
        .init("eta", .time) { $0.eta })

    public var payload: [UInt8] { AlertMessage.payload.bytes(of: self) }
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
