import Contract
import DequeModule
import Languages
import Store
import Tracking

/// An account in memory: identity, devices, tracking and groups. For a company or a service the
/// last two are empty.
final class Person {
    let id: UserID
    let name: Name
    var displayName: String { didSet { lookAlike = LookAlike(displayName) } }
    /// The name reduced to its appearance.
    private(set) var lookAlike: LookAlike
    var firstName: String?
    var lastName: String?
    /// Changed through ``Memory/setEmail(_:of:)``.
    var email: String?
    /// The people who may add the user to a group without asking.
    var addableBy: Addability
    var profile: Profile
    let createdAt: Timestamp
    let kind: AccountKind
    let ownTracksPublishIsSOS: Bool
    /// When the operator locked the person out.
    var disabledAt: Timestamp?
    var devices: [Device] = []
    /// Ordered by time of joining.
    var memberships: [Membership] = []
    var tracker: Tracker
    /// The budget for the work caused by the person's devices.
    let budget: Budget
    /// Whether the newest points of the path have not been shown yet.
    var isTailHeldBack = false
    var usage = Usage()

    /// The earliest time at which late points of the user's path are shown again.
    var latePathDue: Timestamp?
    /// The latest time at which the timer queue returns the user.
    var scheduled: Timestamp?
    /// The first fix that is in the store but not in the saved tracker.
    var firstUnsaved: FixID?
    /// The number of unsaved fixes. It begins at a different number for each user, so that not all
    /// are saved in the same turn.
    var unsavedFixes: Int
    /// Work for the end of the running turn, so that it is done once.
    var pending: Pending = []

    struct Pending: OptionSet {
        let rawValue: UInt8
        static let save = Pending(rawValue: 1)
        static let schedule = Pending(rawValue: 2)
        static let pathTail = Pending(rawValue: 4)
        /// The position that friends see is to be published.
        static let location = Pending(rawValue: 8)
        /// The same, and the message must not be lost.
        static let urgentLocation = Pending(rawValue: 16)
        /// Points were inserted into the path before its last one.
        static let staleTail = Pending(rawValue: 32)
        /// The data shown by links is to be published.
        static let shareLinks = Pending(rawValue: 64)
    }

    struct Membership {
        let group: Group
        /// Set by the running turn; nil between turns.
        var change: Change?
        /// Whether the newest position has not been shown to the group.
        var isHeldBack = false

        enum Change {
            case position
            case state
        }
    }

    init(_ row: UserRow, _ fairness: BridgeSettings.Fairness) {
        id = row.id
        name = row.name
        displayName = row.displayName
        lookAlike = LookAlike(row.displayName)
        firstName = row.firstName
        lastName = row.lastName
        email = row.email
        addableBy = row.addableBy
        profile = row.profile
        disabledAt = row.disabledAt
        createdAt = row.createdAt
        kind = row.kind
        ownTracksPublishIsSOS = row.ownTracksPublishIsSOS
        tracker = Tracker(user: row.id)
        budget = Budget(fairness.allowance, leastPace: fairness.leastPace)
        unsavedFixes = Int(row.id.rawValue) % Memory.mostUnsavedFixes
    }

    /// Whether one of the user's devices shows the map of an OwnTracks app.
    var usesOwnTracks: Bool { devices.contains { $0.appProtocol == .ownTracks } }

    /// Times are shown in UTC: apps do not report their time zone.
    var reader: Reader { Reader(profile.language ?? .english) }

    func device(named name: Name) -> Device? { devices.first { $0.name == name } }

    /// The devices that the user has not removed.
    var ownDevices: [Device] { devices.filter { !$0.isRemoved } }

    func sharesGroup(with other: Person) -> Bool {
        let groups = Set(other.memberships.map(\.group.id))
        return memberships.contains { groups.contains($0.group.id) }
    }

    /// Whether there are others in any of the person's groups.
    func hasOthers() -> Bool { !others(atMost: 1).isEmpty }

    /// The others in the person's groups, without duplicates.
    func others(atMost limit: Int) -> [Person] {
        var others: [Person] = []
        for membership in memberships {
            for member in membership.group.members
            where member !== self && !others.contains(where: { $0 === member }) {
                others.append(member)
                if others.count == limit { return others }
            }
        }
        return others
    }

    /// The name that identifies the person to members of a group in an alert: with the user name if
    /// another member's name looks the same.
    func distinctName(in group: Group) -> String {
        let isAlike = group.members.contains { $0 !== self && $0.lookAlike == lookAlike }
        return isAlike ? distinctName : displayName
    }

    /// The name that identifies the person to one reader in a notice: with the user name if another
    /// member of the reader's groups looks the same, or the groups have too many members to check.
    ///
    /// - Returns: the name, and the number of members checked.
    func distinctName(for reader: Person) -> (name: String, looked: Int) {
        var looked = 0
        for membership in reader.memberships {
            looked += membership.group.members.count
            guard looked <= Person.mostLookAlikes,
                !membership.group.members.contains(where: {
                    $0 !== self && $0.lookAlike == lookAlike
                })
            else { return (distinctName, looked) }
        }
        return (displayName, looked)
    }

    private var distinctName: String { "\(displayName) (\(name))" }

    /// The maximum number of members of a reader's groups checked for look-alikes.
    private static let mostLookAlikes = 2_000

    func membership(in group: GroupID) -> Int? {
        memberships.firstIndex { $0.group.id == group }
    }

    var saved: SavedTracker {
        SavedTracker(tracker: tracker, logs: devices.map(\.log), usage: usage)
    }
}

/// A phone or a wearable in memory.
final class Device {
    let id: DeviceID
    var name: Name
    let createdAt: Timestamp
    var appProtocol: DeviceRow.AppProtocol
    /// When its app last changed, since the start.
    var appChangedAt: Timestamp?
    var hasToken: Bool
    /// When its last message was received, to the hour; see ``Turn/noteSeen(_:)``.
    var lastSeen: Timestamp?
    /// ``lastSeen``, or when its token was created.
    var unusedSince: Timestamp
    /// Whether its owner has removed it: it is kept for its fixes alone.
    var isRemoved: Bool
    var log: DeviceLog
    /// The delay of an OwnTracks app's messages.
    var delay = UsualDelay()
    /// The number of replies stored since surplus ones were last forgotten.
    var newReplies = 0
    /// Requests to be done later; managed by ``WaitingRequests``.
    var waiting: Deque<WaitingRequests.Entry> = []
    var waitingBytes = 0

    init(_ row: DeviceRow) {
        id = row.id
        name = row.name
        createdAt = row.createdAt
        appProtocol = row.appProtocol
        hasToken = row.hasToken
        lastSeen = row.lastSeen
        unusedSince = row.unusedSince ?? row.createdAt
        isRemoved = row.isRemoved
        log = DeviceLog(device: row.id)
    }

    /// Whether the device's app may change: a phone with two apps changes the display once an hour,
    /// not with each message.
    func mayChangeApp(at now: Timestamp) -> Bool {
        guard let changed = appChangedAt else { return true }
        return now < changed || now >= changed + Device.appInterval
    }

    private static let appInterval = Duration.seconds(3_600)
}

/// A group in memory.
final class Group {
    let id: GroupID
    let key: GroupKey
    var name: String
    /// Ordered by time of joining.
    var members: [Person] = []
    /// The oldest first.
    var observers: [ObserverRow] = []
    /// When a member was last removed by another.
    var removedAt: Timestamp?

    init(_ row: GroupRow) {
        id = row.id
        key = row.key
        name = row.name
        removedAt = row.removedAt
    }
}
