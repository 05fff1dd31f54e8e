public import Tracking

/// What a device may ask for, with everything checked that can be checked without the database.
public struct Command: Sendable {
    public let method: Method
    public let action: Action

    public enum Action: Sendable {
        case createGroup(name: DisplayName)
        case renameGroup(GroupKey, name: DisplayName)
        case addMember(GroupKey, Invitee)
        case removeMember(GroupKey, Name)
        case leaveGroup(GroupKey)
        case listGroups

        case startSharing(GroupSelection)
        case stopSharing(GroupSelection)
        /// The members after this name.
        case members(GroupKey, after: Name?)

        case startJourney(GroupSelection, Destination, eta: Timestamp)
        case extendJourney(eta: Timestamp)
        case stopJourney

        /// A position that cannot be accepted does not prevent an SOS; the reply mentions it.
        case triggerSOS(Fix?, refused: Problem?)
        case stopSOS

        case path(PathRequest)
        case listAlerts(GroupKey, before: UUIDv7?, limit: Int)
        case acknowledgeAlert(UUIDv7)
        case sendChat(GroupKey, ChatText)
        case chatHistory(GroupKey, before: UUIDv7?, limit: Int)

        case friends(FriendCommand)

        case account
        case updateAccount(AccountChange)
        case changePassword(PasswordChange)
        case deleteAccount(Password)
        /// Nil: from the beginning.
        case exportAccount(cursor: ExportCursor?)
        case logOut
        case listDevices
        case revokeDevice(Name)
    }

    /// The person to add to a group.
    public enum Invitee: Sendable {
        case user(Name)
        case email(String)
    }

    /// The groups of the user that are meant.
    public enum GroupSelection: Sendable {
        case all
        /// At least one, without duplicates, in the order given.
        case some([GroupKey])
    }

    public struct PasswordChange: Sendable {
        public let old: Password
        public let new: Password
        /// Whether all other devices are logged out.
        public let endsOthers: Bool
    }

    public struct PathRequest: Sendable {
        public enum Format: String, Sendable {
            case geojson
            case gpx
        }

        public let group: GroupKey
        public let user: Name
        public let format: Format
        /// Nil: from the first point.
        public let cursor: PathCursor?
    }

    /// The longest journey: nobody means an arrival further ahead than this.
    public static let maximumJourney = Duration.seconds(30 * 86_400)
    public static let maximumGroups = 100
    /// Metres.
    public static let radiusRange = 1.0...100_000.0
    public static let alertLimit: ClosedRange<Int64> = 1...100
    public static let usualAlertLimit = 50
    public static let chatLimit: ClosedRange<Int64> = 1...100
    public static let usualChatLimit = 50
}
