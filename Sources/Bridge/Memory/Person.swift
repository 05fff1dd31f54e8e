import Contract
import DequeModule
import Store
import Tracking

/// A user in memory: who they are, what they are tracked by, and whose groups they are in.
final class Person {
    let id: UserID
    let name: Name
    var displayName: String
    var firstName: String?
    var lastName: String?
    /// Changed through ``Memory/setEmail(_:of:)``.
    var email: String?
    let createdAt: Timestamp
    let ownTracksPublishIsSOS: Bool
    var devices: [Device] = []
    /// In the order in which the user joined.
    var memberships: [Membership] = []
    var tracker: Tracker
    /// What the bridge does for the person's devices.
    let budget: Budget
    /// The end of the path has not been shown as it is.
    var isTailHeldBack = false
    var usage = Usage()

    /// When late points of the user's path are shown again at the earliest.
    var latePathDue: Timestamp?
    /// When the timer queue brings the user up at the latest.
    var scheduled: Timestamp?
    /// The first fix that is in the store but not in the saved tracker.
    var firstUnsaved: FixID?
    /// Begins at a different number for each user, so that not all are saved in the same turn.
    var unsavedFixes: Int
    /// What the turn that runs is to do at its end, so that it is noted once.
    var pending: Pending = []

    struct Pending: OptionSet {
        let rawValue: UInt8
        static let save = Pending(rawValue: 1)
        static let schedule = Pending(rawValue: 2)
        static let pathTail = Pending(rawValue: 4)
        /// What friends see of the user's position is to be told.
        static let location = Pending(rawValue: 8)
        /// The same, and it must not get lost.
        static let urgentLocation = Pending(rawValue: 16)
        /// Points came into the path before its last one.
        static let staleTail = Pending(rawValue: 32)
    }

    struct Membership {
        let group: Group
        /// Noted by the turn that runs; nil between turns.
        var change: Change?
        /// The group has not been shown the newest position.
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
        firstName = row.firstName
        lastName = row.lastName
        email = row.email
        createdAt = row.createdAt
        ownTracksPublishIsSOS = row.ownTracksPublishIsSOS
        tracker = Tracker(user: row.id)
        budget = Budget(fairness.allowance, leastPace: fairness.leastPace)
        unsavedFixes = Int(row.id.rawValue) % Memory.mostUnsavedFixes
    }

    /// Whether somebody looks at the map of an OwnTracks app.
    var usesOwnTracks: Bool { devices.contains { $0.speaks == .ownTracks } }

    func device(named name: Name) -> Device? { devices.first { $0.name == name } }

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
    let name: Name
    let createdAt: Timestamp
    var speaks: DeviceRow.Language
    var hasToken: Bool
    var log: DeviceLog
    /// Answers kept since the surplus was forgotten the last time.
    var newReplies = 0
    /// Requests that are done later; kept by the ``WaitingRequests``.
    var waiting: Deque<WaitingRequests.Place> = []
    var waitingBytes = 0

    init(_ row: DeviceRow) {
        id = row.id
        name = row.name
        createdAt = row.createdAt
        speaks = row.speaks
        hasToken = row.hasToken
        log = DeviceLog(device: row.id)
    }
}

/// A group in memory.
final class Group {
    let id: GroupID
    let key: GroupKey
    var name: String
    /// In the order in which they joined.
    var members: [Person] = []

    init(_ row: GroupRow) {
        id = row.id
        key = row.key
        name = row.name
    }
}
