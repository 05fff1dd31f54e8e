import Contract
import TestSupport
import Testing
import Tracking

@testable import Store

struct DirectoryTests {
    @Test func `Users, devices and groups are read in creation order`() throws {
        let file = try TemporaryStore()
        try file.run { transaction in
            let zoe = try transaction.insertUser(
                "zoe", displayName: "Zoë", email: "z@example.org", ownTracksPublishIsSOS: true,
                at: .noon)
            _ = try transaction.insertUser(
                "alice", displayName: "Alice", email: nil, ownTracksPublishIsSOS: false, at: .noon)
            let watch = try transaction.insertDevice("watch", of: zoe, using: .kith, at: .noon)
            _ = try transaction.insertDevice(
                "app", of: zoe, using: .ownTracks, at: .noon + .seconds(1))
            try transaction.setAppProtocol(.ownTracks, of: watch)
            try transaction.setTokenHash([1, 2], of: watch)

            let users = try transaction.users()
            #expect(users.map(\.name) == ["zoe", "alice"])
            #expect(users.map(\.displayName) == ["Zoë", "Alice"])
            #expect(users.map(\.email) == ["z@example.org", nil])
            #expect(users.map(\.ownTracksPublishIsSOS) == [true, false])
            let devices = try transaction.devices()
            #expect(devices.map(\.name) == ["watch", "app"])
            #expect(devices.map(\.appProtocol) == [.ownTracks, .ownTracks])
            #expect(devices.map(\.createdAt) == [.noon, .noon + .seconds(1)])
            #expect(devices.allSatisfy { $0.user == zoe })
        }
        let hash = try file.run { transaction in
            try transaction.one("SELECT token_hash FROM devices WHERE id = 1") { try $0.blob(0) }
        }
        #expect(hash == [1, 2])
    }

    @Test func `Memberships are read in joining order`() throws {
        let file = try TemporaryStore()
        let users = try file.addUsers("ann", "bob", "cid")
        let first = try file.addGroup("a", users[2], users[0])
        let second = try file.addGroup("b", users[2])
        try file.run { transaction in
            try transaction.insertMembership(first, users[1], at: .noon)
            try transaction.deleteMembership(first, users[0])
            try transaction.insertMembership(first, users[0], at: .noon)
        }
        let rows = try file.run { try $0.memberships() }
        #expect(rows.map(\.group) == [first, second, first, first])
        #expect(rows.map(\.user) == [users[2], users[2], users[1], users[0]])
        #expect(throws: StoreError.self) {
            try file.run { try $0.insertMembership(first, users[0], at: .noon) }
        }
    }

    @Test func `A deleted group loses its alerts, and other groups stay`() throws {
        let file = try TemporaryStore()
        let (user, _) = try file.addUser("alice")
        let (gone, kept) = (try file.addGroup("a"), try file.addGroup("b"))
        try file.run { transaction in
            for group in [gone, kept] {
                let alert = Alert.some(to: group, number: group.rawValue)
                try transaction.insert(alert, of: user)
                try transaction.acknowledge(alert.id, by: user, at: .noon)
            }
            try transaction.renameGroup(kept, to: "Kept")
            try transaction.closeGroup(gone)
            #expect(try transaction.groups().map(\.name) == ["Kept"])
            _ = try transaction.continueErasures(atMost: 9) { _, _ in { _ in false } }
        }
        #expect(try file.column("SELECT name FROM groups") == ["Kept"])
        #expect(try file.count("alerts") == 1)
        #expect(try file.count("acknowledgements") == 1)
    }

    @Test func `A damaged name or key is an error, not a trap`() throws {
        let file = try TemporaryStore()
        _ = try file.addUser("alice")
        _ = try file.addGroup("a")
        try file.execute("UPDATE users SET name = 'No Name'")
        try file.execute("UPDATE groups SET key = 'short'")
        #expect(throws: StoreError(.decode, reason: "a name is damaged")) {
            try file.run { _ = try $0.users() }
        }
        #expect(throws: StoreError(.decode, reason: "a group's key is damaged")) {
            try file.run { _ = try $0.groups() }
        }
    }

    @Test func `The newest saved tracker alone is read, unchanged`() throws {
        let file = try TemporaryStore()
        let (user, device) = try file.addUser("alice")
        var tracker = Tracker(user: user)
        _ = tracker.join(GroupID(rawValue: 3), at: .noon)
        _ = tracker.receive(.taken(5, seq: 1), from: device, at: .noon, Rules())
        var log = DeviceLog(device: device)
        _ = log.note(.taken(5, seq: 1), as: FixID(rawValue: 9))
        log.receipts.note(1, isNew: true, at: .noon)
        try file.run { transaction in
            try transaction.save(
                SavedTracker(tracker: Tracker(user: user), logs: []), through: FixID(rawValue: 1))
            try transaction.save(
                SavedTracker(tracker: tracker, logs: [log]), through: FixID(rawValue: 9))
        }
        var found: [(SavedTracker, FixID)] = []
        try file.run { transaction in
            try transaction.trackers { saved, fix in found.append((saved, fix)) }
        }
        #expect(found.map(\.0.tracker) == [tracker])
        #expect(found.first?.0.logs == [log])
        #expect(found.map(\.1.rawValue) == [9])
    }
}

extension Alert {
    /// An alert at noon; the number determines its id.
    static func some(to group: GroupID, number: Int64, at time: Timestamp = .noon) -> Alert {
        let id = UUIDv7(at: time, user: UserID(rawValue: 1), number: number)
        return Alert(
            id: id, kind: .sos, group: group, at: time, fix: nil, destination: nil, eta: nil)
    }
}
