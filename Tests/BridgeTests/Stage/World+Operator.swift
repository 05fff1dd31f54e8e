import Contract
import Foundation
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

extension World {
    /// Has the engine process the operator's commands in one turn, as the running bridge does.
    ///
    /// - Returns: the replies.
    @discardableResult
    func operate(_ commands: OperatorCommand...) throws -> [JSONValue] { try operate(commands) }

    @discardableResult
    func operate(_ commands: [OperatorCommand]) throws -> [JSONValue] {
        let now = now
        let ids = try store.transaction { transaction in
            var ids: [Int64] = []
            for command in commands {
                ids.append(try transaction.insertOperatorRequest(command.json, at: now))
            }
            return ids
        }
        try turn([], .operatorRequests)
        return try store.transaction { transaction in
            var replies: [JSONValue] = []
            for id in ids {
                let reply = try transaction.takeOperatorReply(id) ?? ""
                replies.append(.read(Array(reply.utf8)))
            }
            return replies
        }
    }

    /// Adds users whose display names are capitalised: `alice` is `Alice`.
    func addUsers(_ users: Name..., publishIsSOS: Bool = false) throws {
        let replies = try operate(
            users.map {
                .addUser(
                    $0, displayName: $0.text.capitalized, email: "\($0.text)@example.org",
                    ownTracksPublishIsSOS: publishIsSOS)
            })
        #expect(replies.allSatisfy { $0.outcome == "ok" })
    }

    /// Adds a group with these members.
    func addGroup(_ name: String, _ members: Name...) throws {
        let first = try #require(members.first)
        let created = try operate(.createGroup(try DisplayName(name), firstMember: first))
        let key = try #require(GroupKey(created[0]["result"]?["group"]?.text ?? ""))
        let replies = try operate(members.dropFirst().map { .addMember(key, $0) })
        #expect(replies.allSatisfy { $0.outcome == "ok" })
    }

    /// Alice and Bob, who are a family, with connected phones; earlier publications are discarded.
    static func withFamily(
        _ settings: BridgeSettings = BridgeSettings(), wrap: (any Driver) -> any Driver = { $0 }
    ) throws -> World {
        let world = try World(settings, wrap: wrap)
        try world.addUsers("alice", "bob")
        try world.addGroup("Family", "alice", "bob")
        try world.turn([world.status("alice", "online"), world.status("bob", "online")])
        _ = world.published()
        return world
    }

    /// Alice and Bob are the Family, Alice and Carol are at Work, Bob and Carol sing in the Choir;
    /// Dave is in no group.
    static func withNeighbours(_ settings: BridgeSettings = BridgeSettings()) throws -> World {
        let world = try World(settings)
        try world.addUsers("alice", "bob", "carol", "dave")
        try world.addGroup("Family", "alice", "bob")
        try world.addGroup("Work", "alice", "carol")
        try world.addGroup("Choir", "bob", "carol")
        _ = world.published()
        return world
    }

    /// Lets the numbers of erased users, groups and devices be assigned again.
    func reuseNumbers() throws {
        let driver = store.driver
        _ = try driver.transaction { () throws(StoreError) in
            try driver.execute("UPDATE last_numbers SET number = 0", [])
        }
    }

    // MARK: The store

    /// Whether a row refers to another that does not exist. PostgreSQL checks it at each statement.
    func hasDanglingReferences() throws -> Bool {
        guard TestDatabase.server == nil else { return false }
        return try integers("SELECT COUNT(*) FROM pragma_foreign_key_check") != [0]
    }

    func count(_ table: String, where condition: String = "TRUE") throws -> Int {
        try integers("SELECT COUNT(*) FROM \(table) WHERE \(condition)").first.map { Int($0) } ?? 0
    }

    func integers(_ sql: String) throws -> [Int64] {
        let driver = store.driver
        return try driver.transaction { () throws(StoreError) in
            var found: [Int64] = []
            try driver.query(sql, []) { row throws(StoreError) in
                found.append(try row.integer(0))
            }
            return found
        }
    }

    /// The number of rows in each table with users' data.
    func tableCounts() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in [
            "users", "devices", "groups", "memberships", "trackers", "fixes", "fix_runs", "paths",
            "path_groups", "path_points", "alerts", "acknowledgements", "replies", "friends",
            "blocks", "chat_messages", "waiting_requests",
        ] {
            counts[table] = try count(table)
        }
        return counts
    }

    // MARK: Retained messages

    /// A member's state as a group sees it; null if the group sees none.
    func state(of user: Name, in group: String = "family") -> JSONValue {
        .read(retained[topics.string(.member(names[group], user))] ?? [])
    }

    /// The segments that a group sees, in order of their numbers.
    func segments(of user: Name, in group: String = "family") -> [JSONValue] {
        let prefix = topics.string(.member(names[group], user)) + "/path/"
        return retained.filter { $0.key.hasPrefix(prefix) }
            .sorted {
                Int($0.key.dropFirst(prefix.count)) ?? 0 < Int($1.key.dropFirst(prefix.count)) ?? 0
            }
            .map { .read($0.value) }
    }
}

extension JSONValue {
    /// The points of a path segment, in metres along the road.
    var segmentMeters: [Int] {
        (self["points"]?.elements ?? []).map {
            Meridian.meters(latitude: $0.elements.dropFirst().first?.number ?? 0)
        }
    }

    /// The fix's position, in metres along the road.
    var fixMeters: Int? { self["latitude"]?.number.map { Meridian.meters(latitude: $0) } }
}
