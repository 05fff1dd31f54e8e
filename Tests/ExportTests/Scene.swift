import Contract
import ExportFiles
import Foundation
import Store
import TestSupport
import Tracking

@testable import Export

/// A store in a directory of its own, as a bridge leaves it.
final class Scene {
    private let directory: TemporaryDirectory
    let store: Store
    private(set) var user = UserID(rawValue: 0)
    private(set) var group = GroupID(rawValue: 0)
    private(set) var tracker = Tracker(user: UserID(rawValue: 0))
    private var logs: [DeviceLog] = []
    private var lastFix = FixID(rawValue: 0)
    let rules = Rules()

    init(displayName: String = "Ann & Co <x>") throws {
        directory = try TemporaryDirectory()
        store = try Store.open(directory.path + "/kith.db", at: .noon)
        (user, group) = try store.transaction { transaction in
            let user = try transaction.insertUser(
                "ann", displayName: displayName, firstName: "Ann", lastName: nil,
                email: "ann@example.org", passwordHash: "$scrypt$secret",
                ownTracksPublishIsSOS: false, at: .noon)
            let other = try transaction.insertUser(
                "ben", displayName: "Ben", email: "ben@example.org",
                ownTracksPublishIsSOS: false, at: .noon)
            guard let key = GroupKey(String(repeating: "a", count: 22)) else {
                preconditionFailure("a letter makes a key")
            }
            let group = try transaction.insertGroup(key, name: "Family", at: .noon)
            try transaction.insertMembership(group, user, at: .noon)
            try transaction.insertMembership(group, other, at: .noon)
            return (user, group)
        }
        tracker = Tracker(user: user)
        _ = tracker.join(group, at: .noon)
    }

    /// Ann shares with Ben and has blocked Eve.
    func befriend() throws {
        try store.transaction { transaction in
            let eve = try transaction.insertUser(
                "eve", displayName: "Eve", email: nil, ownTracksPublishIsSOS: false, at: .noon)
            guard let ben = try transaction.user("ben")?.id else { return }
            try transaction.insertFriend(ben, of: user, at: .noon)
            try transaction.share(user, with: [ben], since: .noon)
            try transaction.insertBlock(of: eve, by: user, at: .noon)
        }
    }

    func addDevice(_ name: Name) throws {
        let id = try store.transaction { transaction in
            let id = try transaction.insertDevice(name, of: user, using: .kith, at: .noon)
            try transaction.setTokenHash(Array("secret".utf8), of: id)
            return id
        }
        logs.append(DeviceLog(device: id))
    }

    /// As the bridge does: stored, recorded, and added to the path.
    func add(_ fixes: [Fix], device: Int = 0) throws {
        try store.transaction { transaction in
            for fix in fixes {
                lastFix.rawValue += 1
                let row = FixRow(id: lastFix, device: logs[device].device, fix: fix)
                try transaction.insert(
                    fix, as: lastFix, of: logs[device].device, after: logs[device].last)
                if let chunk = logs[device].note(fix, as: lastFix) { try transaction.insert(chunk) }
                _ = tracker.receive(
                    fix, from: logs[device].device, at: fix.receivedAt, rules)
                if let path = tracker.path {
                    try transaction.add(row, toPath: path.number, of: user)
                }
            }
        }
    }

    func triggerSOS(at time: Timestamp) throws {
        let alerts = try tracker.triggerSOS(at: time, rules)
        guard let path = tracker.path else { preconditionFailure("an SOS has a path") }
        let user = user
        try store.transaction { transaction in
            try transaction.begin(path, of: user)
            for case .alert(let alert, _) in alerts {
                try transaction.insert(alert, of: user)
                try transaction.acknowledge(alert.id, by: UserID(rawValue: 2), at: time)
                try transaction.acknowledge(alert.id, by: user, at: time)
            }
        }
    }

    /// The given number of Ann's messages, with one of Ben's after each.
    func write(_ count: Int) throws {
        let (user, group) = (user, group)
        try store.transaction { transaction in
            for number in 0..<count {
                for (place, author) in [user, UserID(rawValue: 2)].enumerated() {
                    let at = Timestamp.noon + .milliseconds(Int64(number * 2 + place))
                    try transaction.insert(
                        ChatRow(
                            id: UUIDv7(at: at, random: (0, 0)), group: group, user: author,
                            kind: .message, words: "m\(number)", at: at))
                }
            }
        }
    }

    func save() throws {
        try store.transaction { transaction in
            try transaction.save(SavedTracker(tracker: tracker, logs: logs), through: lastFix)
        }
    }

    /// Makes the archive and unpacks it.
    func unpack() async throws -> [String: Data] {
        let export = try Export(of: "ann", in: store, rules)
        let directory = URL(filePath: directory.path)
        let file = directory.appendingPathComponent("ann.zip")
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try await ExportArchive(of: export, at: .noon + .seconds(86_400)) { bytes in
            handle.write(Data(bytes))
        }.write()
        try handle.close()
        let target = directory.appendingPathComponent("unpacked")
        try chunk(
            "/usr/bin/env",
            [
                "python3", "-c",
                """
                import sys, zipfile
                archive = zipfile.ZipFile(sys.argv[1])
                assert archive.testzip() is None
                archive.extractall(sys.argv[2])
                """, file.path, target.path,
            ])
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: target.path) {
            files[name] = try Data(contentsOf: target.appendingPathComponent(name))
        }
        return files
    }

    struct Failure: Error {
        let status: Int32
    }

    private func chunk(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(status: process.terminationStatus)
        }
    }
}

extension Fix {
    /// Taken the given milliseconds after noon, at a position with all its decimals.
    static func taken(_ milliseconds: Int64, received: Int64? = nil) -> Fix {
        let offset = milliseconds % 1_000_000
        guard
            let place = Coordinate(
                latitudeE7: -337_654_321 + offset, longitudeE7: 1_512_345_679 - offset)
        else { preconditionFailure("the earth is large enough") }
        return Fix(
            coordinate: place, takenAt: .noon + .milliseconds(milliseconds),
            receivedAt: .noon + .milliseconds(received ?? milliseconds), accuracy: 3.25,
            altitude: milliseconds % 2 == 0 ? 12.5 : nil, sequence: milliseconds)
    }
}
