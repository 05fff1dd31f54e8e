import Contract
import TestSupport
import Testing
import Tracking

@testable import Store

/// Queries on tables that grow without bound cost as much as their results.
@Suite(.onSQLite)
struct PlanTests {
    /// Records the statements that are run, and SQLite's plan for each.
    private final class PlanNoter: Driver {
        private let real: any Driver
        private(set) var plans: [(sql: String, steps: [String])] = []

        init(_ real: any Driver) { self.real = real }

        func transaction<Value>(_ body: () throws(StoreError) -> Value)
            throws(StoreError) -> Value
        {
            try real.transaction(body)
        }

        func execute(_ sql: String, _ values: [SQLValue], isCounted: Bool) throws(StoreError) -> Int
        {
            try note(sql, values)
            return try real.execute(sql, values, isCounted: isCounted)
        }

        func query(
            _ sql: String, _ values: [SQLValue],
            _ read: (any SQLRow) throws(StoreError) -> Void
        ) throws(StoreError) {
            try note(sql, values)
            try real.query(sql, values, read)
        }

        var work: Int64 { real.work }

        func hasTable(_ name: String) throws(StoreError) -> Bool { try real.hasTable(name) }

        func sendTogether(_ isAllowed: Bool) { real.sendTogether(isAllowed) }

        func foreignChanges() throws(StoreError) -> Int64 { try real.foreignChanges() }

        private func note(_ sql: String, _ values: [SQLValue]) throws(StoreError) {
            var steps: [String] = []
            try real.query("EXPLAIN QUERY PLAN \(sql)", values) { row throws(StoreError) in
                steps.append(try row.text(3))
            }
            plans.append((sql, steps))
        }
    }

    /// A user whose path has ended.
    private func scene() throws -> (file: TemporaryStore, user: UserID, group: GroupID) {
        let file = try TemporaryStore()
        let (user, _) = try file.addUser("alice")
        let group = try file.addGroup("a", user)
        var tracker = Tracker(user: user)
        _ = tracker.join(group, at: .noon)
        _ = try tracker.triggerSOS(at: .noon, Rules())
        let path = try #require(tracker.path)
        try file.run { transaction in
            try transaction.begin(path, of: user)
            for second in 1...3 {
                let id = FixID(rawValue: Int64(second))
                let row = FixRow(
                    id: id, device: DeviceID(rawValue: 1), fix: .taken(Int64(second)))
                try transaction.add(row, toPath: 1, of: user)
            }
            try transaction.endPath(1, of: user, at: .noon)
        }
        return (file, user, group)
    }

    private func check(
        _ file: TemporaryStore, _ body: (Transaction) throws -> Void
    ) throws {
        let noter = PlanNoter(file.store.driver)
        try Store(driver: noter).transaction(body)
        #expect(!noter.plans.isEmpty)
        for (sql, steps) in noter.plans {
            // A list in memory and a subquery's rows are not tables.
            let scans = steps.filter { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }
            #expect(scans == [], "\(sql)")
        }
    }

    @Test func `A path's page, its last points and its viewers are found by key`() throws {
        let (file, user, group) = try scene()
        try check(file) { transaction in
            let place = PointKey(takenAt: .noon, number: 1)
            _ = try transaction.pathPoints(1, of: user, after: place, atMost: 2)
            _ = try transaction.lastPathPoints(1, of: user, count: 2)
            _ = try transaction.visiblePath(of: user, to: group)
            _ = try transaction.latestPath(of: user)
            _ = try transaction.groups(ofPath: 1, of: user)
            try transaction.withdrawPath(1, of: user)
        }
    }

    @Test func `Passkeys are found by their owner and by their own id`() throws {
        let (file, user, _) = try scene()
        try check(file) { transaction in
            _ = try transaction.passkeys(of: user)
            _ = try transaction.passkey(credential: [1])
            _ = try transaction.passkeyHandle(of: user)
            try transaction.deletePasskey(UUIDv7(at: .noon, random: (0, 0)))
        }
    }

    @Test func `Rows to be swept are found by key`() throws {
        let (file, user, group) = try scene()
        let later = Timestamp.noon + .seconds(60)
        try file.run { transaction in
            let alert = Alert.some(to: group, number: 1, at: .noon)
            try transaction.insert(alert, of: user)
            try transaction.acknowledge(alert.id, by: user, at: .noon)
            try transaction.insertReply([], to: "1", of: DeviceID(rawValue: 1), at: .noon)
        }
        try check(file) { transaction in
            let (_, ends) = try transaction.withdrawPaths(
                endedBefore: later, after: nil, atMost: 9)
            _ = try transaction.withdrawPaths(endedBefore: later, after: ends.last, atMost: 9)
            for mode in [Path.Mode.journey, .sos] {
                _ = try transaction.deletePaths(
                    mode, endedBefore: later, after: ends.last, atMost: 9)
                _ = try transaction.deletePaths(mode, endedBefore: later, after: nil, atMost: 9)
            }
            _ = try transaction.deleteAlerts(
                before: UUIDv7(at: later, random: (0, 0)), atMost: 9)
            _ = try transaction.oldestReception()
            _ = try transaction.deleteFixes(receivedBefore: later, atMost: 9)
            _ = try transaction.hasReply(toAnyOf: "1 ", of: DeviceID(rawValue: 1))
            _ = try transaction.deleteReplies(before: later, atMost: 9)
            _ = try transaction.deleteChat(writtenBefore: later, atMost: 9)
            _ = try transaction.pruneAccessChanges(through: 9, atMost: 9)
        }
        #expect(try file.count("paths") == 0)
        #expect(try file.count("alerts") == 0)
        #expect(try file.count("replies") == 0)
    }
}
