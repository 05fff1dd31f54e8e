internal import Clocks
internal import Contract
internal import Foundation
internal import Store
internal import Tracking

/// A database with users who share with their groups.
struct Scene {
    let database: DatabaseAddress
    let settings: BenchSettings

    /// One in this many groups is watched when the latency is measured.
    private static let sampling = 10

    /// The numbers of the users in those groups.
    static func sample(of settings: BenchSettings) -> [Int] {
        (0..<settings.users).filter { $0 / settings.groupSize % sampling == 0 }
    }

    /// The users and groups created.
    struct Cast: Sendable {
        /// The groups to watch.
        var sample: [GroupKey] = []
        var groupOf: [String: GroupKey] = [:]
        var tokens: [String: DeviceToken] = [:]
        var services: [String: PrincipalToken] = [:]
    }

    func prepare() throws -> Cast {
        let store = try Store.open(database, at: Timestamp.now)
        var random = SystemRandomNumberGenerator()
        let first = try store.transaction { transaction in
            if settings.history > 0 {
                try transaction.inventFixes(
                    settings.history, devices: settings.users, before: Timestamp.now)
            }
            return try transaction.lastFix()
        }
        let now = Timestamp.now
        return try store.transaction { transaction in
            var cast = Cast()
            for start in stride(from: 0, to: settings.users, by: settings.groupSize) {
                let key = GroupKey(using: &random)
                if start / settings.groupSize % Scene.sampling == 0 { cast.sample.append(key) }
                let group = try transaction.insertGroup(key, name: "Group \(start)", at: now)
                for number in start..<min(start + settings.groupSize, settings.users) {
                    let user = Stage.user(number)
                    cast.groupOf[user] = key
                    cast.tokens[user] = try Scene.add(user, to: [group], first, now, transaction)
                }
            }
            cast.tokens[Stage.last] = try Scene.add(Stage.last, to: [], first, now, transaction)
            return cast
        }
    }

    /// A journey in progress, to a destination that is never reached.
    struct Trip {
        var eta: Timestamp
        var startedAt: Timestamp
        /// The number of points of its path so far, one per second; nil if no path is recorded.
        var points: Int?
    }

    /// Adds a user with one device, who shares with the groups.
    static func add(
        _ name: String, device: String = Stage.device, to groups: [GroupID], _ last: FixID,
        _ now: Timestamp, _ transaction: Transaction, trip: Trip? = nil
    ) throws -> DeviceToken {
        guard let name = Name(name), let device = Name(device) else {
            preconditionFailure("the stage has proper names")
        }
        let user = try transaction.insertUser(
            name, displayName: name.text, email: nil, ownTracksPublishIsSOS: false, at: now)
        let id = try transaction.insertDevice(device, of: user, using: .kith, at: now)
        var random = SystemRandomNumberGenerator()
        let token = DeviceToken(user: name, device: device, using: &random)
        try transaction.setTokenHash(token.hash, of: id)
        var tracker = Tracker(user: user)
        for group in groups {
            try transaction.insertMembership(group, user, at: now)
            _ = tracker.join(group, at: now)
        }
        do {
            _ = try tracker.startSharing(with: groups, at: now)
            if let trip {
                let destination = Destination(coordinate: FixPublisher.fix(0, now).coordinate)
                _ = try tracker.startJourney(
                    to: destination, eta: trip.eta, with: groups, at: trip.startedAt)
            }
        } catch {
            preconditionFailure("a member may share, and go somewhere")
        }
        // All users already count as online: coming online would be reported to the group, which is
        // not part of a fix's cost.
        _ = tracker.hear(id, at: now)
        if let points = trip?.points, let path = tracker.path {
            try transaction.begin(path, of: user)
            let tail = try transaction.inventPath(path, of: user, points: points)
            tracker.replacePath(count: points, tail: tail)
        }
        try transaction.save(SavedTracker(tracker: tracker, logs: []), through: last)
        return token
    }
}
