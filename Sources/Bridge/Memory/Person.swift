import Contract
import DequeModule
import Languages
import Store
import Tracking

/// An account in memory: identity, devices, tracking and groups. Of a company or a service the last two
/// are empty.
final class Person {
    let id: UserID
    let name: Name
    var displayName: String { didSet { lookAlike = LookAlike(displayName) } }
    /// What the name looks like.
    private(set) var lookAlike: LookAlike
    var firstName: String?
    var lastName: String?
    /// Changed through ``Memory/setEmail(_:of:)``.
    var email: String?
    /// Who may add the user to a group without asking.
    var addableBy: Addability
    var profile: Profile
    let createdAt: Timestamp
    let kind: AccountKind
    let ownTracksPublishIsSOS: Bool
    /// Since when the operator has locked the person out.
    var disabledAt: Timestamp?
    var devices: [Device] = []
    /// In the order in which the user joined.
    var memberships: [Membership] = []
    var tracker: Tracker
    /// The work that the bridge does for the person's devices.
    let budget: Budget
    /// Whether the newest points of the path have not been shown yet.
    var isTailHeldBack = false
    var usage = Usage()
    /// Those that work, the oldest first.
    var shareLinks: [ShareLinkRow] = []
    /// The services that receive what the person's devices measure.
    var subscribers: [Subscriber] = []
    /// What they are still to receive.
    var passing = PassingSamples()
    /// The first fix of the pause that goes on, since the start.
    var firstPaused: FixID?

    /// The earliest time at which late points of the user's path are shown again.
    var latePathDue: Timestamp?
    /// The latest time at which the timer queue returns the user.
    var scheduled: Timestamp?
    /// The first fix that is in the store but not in the saved tracker.
    var firstUnsaved: FixID?
    /// Begins at a different number for each user, so that not all are saved in the same turn.
    var unsavedFixes: Int
    /// What the running turn is to do at its end, so that it is done once.
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
        /// What links show is to be published.
        static let shareLinks = Pending(rawValue: 64)
    }

    /// A service that receives samples as they come.
    struct Subscriber {
        let service: UserID
        let topic: String
        let data: SharedData
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

    /// Times are told in UTC: an app does not say where it is.
    var reader: Reader { Reader(profile.language ?? .english) }

    func device(named name: Name) -> Device? { devices.first { $0.name == name } }

    /// Those that the user has not removed.
    var ownDevices: [Device] { devices.filter { !$0.isRemoved } }

    func sharesGroup(with other: Person) -> Bool {
        let groups = Set(other.memberships.map(\.group.id))
        return memberships.contains { groups.contains($0.group.id) }
    }

    /// Whether somebody else is in one of the person's groups.
    func hasOthers() -> Bool { !others(atMost: 1).isEmpty }

    /// Others in the person's groups, each once.
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

    /// The name by which members of a group know whom an alert is about: with the user name, where
    /// another member's name looks the same.
    func distinctName(in group: Group) -> String {
        let isAlike = group.members.contains { $0 !== self && $0.lookAlike == lookAlike }
        return isAlike ? distinctName : displayName
    }

    /// The name by which one reader knows whom a notice is about: with the user name, where another member
    /// of a group of theirs looks the same, or they have too many to know.
    ///
    /// - Returns: the name, and how many members were looked at.
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

    /// Members of all groups of a reader among whom look-alikes are looked for.
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
    /// When it was used with another app before, since the start.
    var appChangedAt: Timestamp?
    var hasToken: Bool
    /// When it was heard from, to the hour; see ``Turn/noteSeen(_:)``.
    var lastSeen: Timestamp?
    /// That, or when its token was made.
    var unusedSince: Timestamp
    /// Whether its owner has removed it: it is kept for its fixes alone.
    var isRemoved: Bool
    var log: DeviceLog
    /// Of what an OwnTracks app sends.
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

    /// Whether another app counts as the device's: a phone with two apps changes what is shown once an
    /// hour, not with each message.
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
    /// In the order in which they joined.
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
