internal import JSON
public import Tracking

/// One item stored about a person, as the person receives it.
public enum ExportItem: Sendable {
    case account(Account)
    /// What the person caused to be written on the last day that was counted, and the daily quota.
    case usage(Usage)
    case device(Name, kind: String, createdAt: Timestamp)
    case group(GroupKey, name: String, joinedAt: Timestamp)
    /// What the group sees of the person.
    case state(GroupKey, MemberState)
    /// Somebody on the person's list, and since when they have seen the person's position.
    case friend(Name, addedAt: Timestamp, sharedSince: Timestamp?)
    case blocked(Name, at: Timestamp)
    case path(Path)
    case alert(AlertMessage)
    /// Of an alert about somebody else.
    case acknowledgement(UUIDv7, at: Timestamp)
    /// A message that the person wrote.
    case message(ChatMessage)
    case fix(Fix, device: Name)

    /// How many of the people who have seen an alert are named, the first ones.
    public static let maximumNames = 500

    public struct Account: Sendable {
        public var user: Name
        public var name: String
        public var firstName: String?
        public var lastName: String?
        public var email: String?
        public var ownTracksPublishIsSOS: Bool
        public var createdAt: Timestamp

        public init(
            user: Name, name: String, firstName: String?, lastName: String?, email: String?,
            ownTracksPublishIsSOS: Bool, createdAt: Timestamp
        ) {
            self.user = user
            self.name = name
            self.firstName = firstName
            self.lastName = lastName
            self.email = email
            self.ownTracksPublishIsSOS = ownTracksPublishIsSOS
            self.createdAt = createdAt
        }
    }

    /// A path, or a page of it.
    public struct Path: Sendable {
        /// Numbers the person's paths.
        public var number: Int64
        public var mode: Tracking.Path.Mode
        public var startedAt: Timestamp
        public var endedAt: Timestamp?
        public var points: [Tracking.Path.Point]

        public init(
            number: Int64, mode: Tracking.Path.Mode, startedAt: Timestamp, endedAt: Timestamp?,
            points: [Tracking.Path.Point]
        ) {
            self.number = number
            self.mode = mode
            self.startedAt = startedAt
            self.endedAt = endedAt
            self.points = points
        }
    }

    public var type: String {
        switch self {
        case .account: "account"
        case .usage: "usage"
        case .device: "device"
        case .group: "group"
        case .state: "state"
        case .friend: "friend"
        case .blocked: "blocked"
        case .path: "path"
        case .alert: "alert"
        case .acknowledgement: "acknowledgement"
        case .message: "message"
        case .fix: "fix"
        }
    }

    /// An object whose `type` names its kind.
    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.member("type", type)
            switch self {
            case .account(let account): account.write(to: &json)
            case .usage(let usage): usage.write(to: &json)
            case .device(let name, let kind, let createdAt):
                json.member("device", name.text)
                json.member("kind", kind)
                json.member("createdAt", createdAt)
            case .group(let key, let name, let joinedAt):
                json.member("group", key.text)
                json.member("name", name)
                json.member("joinedAt", joinedAt)
            case .state(let key, let state):
                json.member("group", key.text)
                json.key("state")
                json.memberState(state)
            case .friend(let user, let addedAt, let sharedSince):
                json.member("user", user.text)
                json.member("addedAt", addedAt)
                if let sharedSince { json.member("sharedSince", sharedSince) }
            case .blocked(let user, let at):
                json.member("user", user.text)
                json.member("at", at)
            case .path(let path): path.write(to: &json)
            case .alert(let message):
                json.key("alert")
                json.raw(message.payload)
            case .acknowledgement(let alert, let at):
                json.member("alert", alert.description)
                json.member("at", at)
            case .message(let message):
                json.key("message")
                json.raw(message.payload)
            case .fix(let fix, let device):
                json.member("device", device.text)
                json.key("fix")
                json.fix(fix)
            }
        }
    }
}

extension ExportItem.Account {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("user", user.text)
        json.member("name", name)
        json.member("firstName", firstName)
        json.member("lastName", lastName)
        json.member("email", email)
        json.key("publishIsSOS")
        json.bool(ownTracksPublishIsSOS)
        json.member("createdAt", createdAt)
    }
}

extension Usage {
    fileprivate func write(to json: inout JSONWriter) {
        if let since { json.member("since", since) }
        json.member("fixes", count(.fixes).rows)
        json.member("alerts", count(.alerts).rows)
        json.member("messages", count(.messages).rows)
        json.member("messageBytes", count(.messages).bytes)
        json.member("changes", count(.changes).rows)
        json.member("answers", count(.answers).rows)
        json.member("answerBytes", count(.answers).bytes)
        json.member("strangers", count(.strangers).rows)
    }
}

extension ExportItem.Path {
    fileprivate func write(to json: inout JSONWriter) {
        json.key("number")
        json.number(number)
        json.member("mode", mode.rawValue)
        json.member("startedAt", startedAt)
        if let endedAt { json.member("endedAt", endedAt) }
        json.key("points")
        json.points(points)
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        self.key(key)
        string(text)
    }

    fileprivate mutating func member(_ key: StaticString, _ count: Int) {
        self.key(key)
        number(count)
    }

    fileprivate mutating func member(_ key: StaticString, _ time: Timestamp) {
        self.key(key)
        self.time(time)
    }

    /// `[[longitude,latitude,epochMs],…]`
    mutating func points(_ points: [Path.Point]) {
        array(points) { json, point in
            json.array { json in
                json.degrees(e7: point.coordinate.longitudeE7)
                json.degrees(e7: point.coordinate.latitudeE7)
                json.number(point.takenAt.milliseconds)
            }
        }
    }
}
