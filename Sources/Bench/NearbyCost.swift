internal import Bridge
internal import Clocks
internal import Contract
internal import Foundation
internal import Limits
internal import MQTT
internal import Numbers
internal import Store
internal import Tracking

/// The cost of finding the friends nearby, among many people who share.
public struct NearbyCost {
    private let users: Int
    private let friends: Int
    private let requests: Int

    /// How many others each person shares with who is not a friend of the requester.
    private static let othersEach = 2
    /// In metres: the whole earth, for which everybody is found and the reply is as long as
    /// possible; and a walk.
    private static let radii = [20_000_000, 1_000]

    public init(users: Int, friends: Int, requests: Int) {
        self.users = users
        self.friends = friends
        self.requests = requests
    }

    /// - Returns: the report.
    public func measure() throws -> String {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "kith-bench-nearby-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let now = Timestamp.now
        let store = try Store.open(directory.appending(path: "kith.db").path, at: now)
        try populate(store, now)
        var settings = BridgeSettings()
        // Disables the budget, so that no request has to wait.
        settings.fairness.allowance.burst = .infinity
        let engine = try Engine(store, settings)
        var lines = ["\(users) people who share, \(friends) of them with the one who asks."]
        func line(_ name: String, _ method: String, _ payload: String) throws {
            let spread = try spread(engine, now, method, payload)
            lines.append("\(name): \(spread)")
        }
        try line("A request that looks for nothing", "account.get", "{}")
        for radius in NearbyCost.radii {
            try line("Friends within \(radius) m", "friend.nearby", "{\"radius\":\(radius)}")
        }
        try FileManager.default.removeItem(at: directory)
        return lines.joined(separator: "\n")
    }

    /// The first user makes the requests; the next ones share with that user, the others among
    /// themselves. All live in a town some 20 km wide.
    private func populate(_ store: Store, _ now: Timestamp) throws {
        var random = SystemRandomNumberGenerator()
        try store.transaction { transaction throws(StoreError) in
            var ids: [UserID] = []
            for number in 0...users {
                guard let name = Name(Stage.user(number)), let phone = Name(Stage.device) else {
                    preconditionFailure("the stage has proper names")
                }
                let user = try transaction.insertUser(
                    name, displayName: "User \(number)", email: nil,
                    ownTracksPublishIsSOS: false, at: now)
                let device = try transaction.insertDevice(
                    phone, of: user, using: .kith, at: now)
                ids.append(user)
                let place = Coordinate(
                    latitude: 46 + Double.random(in: 0...0.2, using: &random),
                    longitude: 14.4 + Double.random(in: 0...0.25, using: &random))
                guard let place else { preconditionFailure("the town lies on the earth") }
                var tracker = Tracker(user: user)
                let fix = Fix(coordinate: place, takenAt: now, receivedAt: now, accuracy: 8)
                _ = tracker.receive(fix, from: device, at: now, Rules())
                if number > 0 { tracker.startSharingWithFriends(at: now) }
                try transaction.save(
                    SavedTracker(tracker: tracker, logs: []), through: FixID(rawValue: 0))
            }
            for number in 1...users {
                var chosen: Set<Int> = []
                if number <= friends { chosen.insert(0) }
                while chosen.count < NearbyCost.othersEach {
                    let other = Int.random(in: 1...users, using: &random)
                    if other != number { chosen.insert(other) }
                }
                for other in chosen {
                    try transaction.insertFriend(ids[other], of: ids[number], at: now)
                    try transaction.share(ids[number], with: [ids[other]], since: now)
                }
            }
        }
    }

    private func spread(
        _ engine: Engine, _ now: Timestamp, _ method: String, _ payload: String
    ) throws -> String {
        let topic = "kith/users/\(Stage.user(0))/devices/\(Stage.device)/requests/\(method)"
        var times: [Duration] = []
        var length = 0
        for _ in 0..<requests {
            let start = ContinuousClock.now
            let answers = try engine.take(
                [Message(topic: topic, payload: Array(payload.utf8))], at: now)
            times.append(ContinuousClock.now - start)
            length = answers.map(\.payload.count).max() ?? 0
        }
        times.sort()
        func milliseconds(_ share: Double) -> Double {
            let time = times[min(times.count - 1, Int(clamping: Double(times.count) * share))]
            return (time.seconds * 100_000).rounded() / 100
        }
        return "p50 \(milliseconds(0.5)) ms, p99 \(milliseconds(0.99)) ms, "
            + "\(length) bytes"
    }
}
