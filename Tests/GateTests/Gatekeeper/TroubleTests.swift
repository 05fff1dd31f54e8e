import Contract
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Gate

/// What the gatekeeper does when its database cannot be read.
struct TroubleTests {
    private static let fix = "kith/users/alice/devices/phone/fix"

    @Test func `A missing database has everything refused, which is logged once`() async throws {
        try await withDoor { known in
            let door = Door(known.town, opening: Town.opening(known.town.path + ".nowhere"))
            #expect(door.enter("alice.phone") == nil)
            #expect(door.enter("visitor") == nil)
            #expect(!door.mayReceive(FamilyTopic.alerts, 7, absentee: "kith:bridge.1"))
            door.pass(.seconds(300))
            let lines = door.lines()
            #expect(lines.count { $0.contains("everything is refused") } == 1)
            #expect(!lines.contains { $0.contains("alice") })
        }
    }

    @Test func `A short database lock is tolerated, a longer one is not`() async throws {
        try await withDoor { door in
            let queue = try door.lockable()
            let alice = try #require(door.enter("alice.phone"))
            #expect(door.publish(TroubleTests.fix, by: alice) == .allowed)
            try queue.lock()
            #expect(door.publish(TroubleTests.fix, by: alice) == .allowed)
            #expect(door.enter("bob.phone") == nil)
            door.pass(.milliseconds(200))
            #expect(door.publish(TroubleTests.fix, by: alice) == .cutOff)
            #expect(!door.mayReceive(FamilyTopic.alerts, alice))
            try queue.unlock()
            door.pass(.milliseconds(200))
            #expect(door.publish(TroubleTests.fix, by: alice) == .allowed)
            #expect(door.mayReceive(FamilyTopic.alerts, alice))
            #expect(door.enter("bob.phone") != nil)
            // No one was disconnected for what could not be read.
            let orders = door.gatekeeper.takeOrders()
            #expect(!orders.contains { if case .cutOff = $0 { true } else { false } })
        }
    }

    @Test func `The service reports an unreadable database to its operator`() async throws {
        try await withDoor { door in
            let (status, metric) = ("kith/system/status", "kith/system/metrics/fixes")
            let queue = try door.lockable()
            let bridge = try #require(door.enter("kith:bridge", id: "kith:bridge.1"))
            let own = try #require(door.enter("kith:operator"))
            #expect(door.subscribe("kith/system/#", by: own))
            try queue.lock()
            door.pass(.milliseconds(300))
            for topic in [status, metric] {
                #expect(door.publish(topic, by: bridge) == .allowed)
                #expect(door.mayReceive(topic, own))
                #expect(door.publish(topic, by: own) != .allowed)
            }
            // A bridge that cannot work closes its connection and reports over another one.
            let reporter = try #require(door.enter("kith:bridge", id: "kith:bridge.1.status"))
            #expect(door.publish(status, by: reporter) == .allowed)
            #expect(door.enter("kith:bridge", token: try door.town.token("kith:operator")) == nil)
            // Nothing else gets through, and no one else is admitted.
            #expect(door.publish(FamilyTopic.alerts, by: bridge) == .cutOff)
            #expect(!door.mayReceive("kith/users/alice/devices/phone/fix", bridge))
            #expect(door.enter("alice.phone") == nil && door.enter("visitor") == nil)
            #expect(door.gatekeeper.refusals.connections == 1, "it has the token of another")
            #expect(door.enter("kith:dispatch") == nil, "its token was never read")
            #expect(door.gatekeeper.refusals.connections == 1, "so it is to come again")
            try queue.unlock()
        }
    }

    @Test func `A database that fails intermittently does not fill the log`() async throws {
        try await withDoor { door in
            let queue = try door.lockable()
            door.pass(.milliseconds(100))
            for _ in 0..<20 {
                try queue.lock()
                door.pass(.milliseconds(500))
                try queue.unlock()
                door.pass(.milliseconds(500))
            }
            #expect(door.lines().count == 2)
        }
    }

    @Test func `A departure while the database is unreadable is noticed afterwards`() async throws {
        try await withDoor { door in
            let queue = try door.lockable()
            let bob = try #require(door.enter("bob.phone"))
            #expect(door.subscribe(FamilyTopic.alerts, by: bob))
            try queue.lock()
            door.pass(.milliseconds(300))
            try queue.database.writeWithoutTransaction { database in
                try database.execute(sql: "DELETE FROM memberships")
                try database.execute(
                    sql: "INSERT INTO access_changes (principal) VALUES ('bob')")
                try database.execute(sql: "COMMIT")
            }
            door.pass(.milliseconds(300))
            #expect(!door.mayReceive(FamilyTopic.alerts, bob))
            #expect(door.cutOffs() == ["bob.phone"])
        }
    }

    @Test func `A database restored to an earlier time takes effect`() async throws {
        try await withDoor { door in
            let queue = try door.lockable()
            let bob = try #require(door.enter("bob.phone"))
            #expect(door.mayReceive(FamilyTopic.alerts, bob))
            try queue.database.writeWithoutTransaction { database in
                try database.execute(sql: "DELETE FROM memberships")
                try database.execute(sql: "DELETE FROM access_changes WHERE number > 3")
            }
            #expect(!door.mayReceive(FamilyTopic.alerts, bob))
        }
    }

    /// The former one's contents must not be mixed with this one's.
    @Test func `A replaced database takes effect once it can be read`() async throws {
        try await withDoor { door in
            _ = try door.lockable()
            let bob = try #require(door.enter("bob.phone"))
            #expect(door.subscribe(FamilyTopic.alerts, by: bob))
            // Up to a moment before the gatekeeper checks whether the file is another one.
            door.pass(.milliseconds(900))
            let queue = try door.lockable()
            try queue.database.writeWithoutTransaction { database in
                try database.execute(sql: "DELETE FROM memberships")
                try database.execute(sql: "ALTER TABLE access_changes RENAME TO away")
            }
            door.pass(.milliseconds(100))
            try queue.database.writeWithoutTransaction {
                try $0.execute(sql: "ALTER TABLE away RENAME TO access_changes")
            }
            door.pass(.milliseconds(300))
            #expect(door.cutOffs() == ["bob.phone"])
            #expect(!door.mayReceive(FamilyTopic.alerts, bob))
        }
    }

    @Test func `Damage to one user's rows has only that user refused`() async throws {
        try await withDoor { door in
            let queue = try door.lockable()
            let (alice, bob) = (
                try #require(door.enter("alice.phone")), try #require(door.enter("bob.phone"))
            )
            try queue.database.writeWithoutTransaction { database in
                try database.execute(sql: "UPDATE devices SET name = '\u{1}' WHERE name = 'tablet'")
                try database.execute(
                    sql: "INSERT INTO access_changes (principal) VALUES ('alice')")
            }
            #expect(!door.mayReceive(FamilyTopic.alerts, alice))
            #expect(door.publish(TroubleTests.fix, by: alice) == .cutOff)
            #expect(door.enter("alice.phone", id: "alice.2") == nil)
            // A refused client would conclude that its token has ended.
            #expect(door.gatekeeper.refusals.turnedAway == 1)
            #expect(door.gatekeeper.refusals.connections == 0)
            #expect(door.mayReceive(FamilyTopic.alerts, bob))
            door.pass(.seconds(30))
            let lines = door.lines()
            #expect(lines.count { $0.contains("a client is refused") } == 1)
            #expect(!lines.contains { $0.contains("alice") })
        }
    }

    @Test func `Only calls for help get through while erased users cannot be read`() async throws {
        try await withDoor { door in
            try door.town.add("dora", "phone")
            try door.town.join(.family, "dora")
            let queue = try DatabaseQueue(path: door.town.path)
            let bob = try #require(door.enter("bob.phone", isContinued: true))
            let messages = [
                (FamilyTopic.alerts, #"{"id":"1","kind":"sos","user":"dora"}"#),
                (FamilyTopic.root + "/chat", #"{"id":"2","from":"dora","text":"hi"}"#),
                (FamilyTopic.root + "/members/dora", #"{"state":"active"}"#),
                ("kith/users/bob/notices", #"{"kind":"friend-added","user":"dora"}"#),
            ]
            // An empty payload has nothing to read.
            let none = FamilyTopic.root + "/members/dora"
            func received() -> [Bool] {
                messages.map { door.mayReceive($0.0, bob, payload: $0.1) }
                    + [door.mayReceive(none, bob, payload: "")]
            }
            try queue.write { try $0.execute(sql: "ALTER TABLE users RENAME TO away") }
            #expect(received() == [true, false, false, false, true])
            try queue.write { try $0.execute(sql: "ALTER TABLE away RENAME TO users") }
            #expect(received() == [true, true, true, true, true])
            door.pass(.seconds(30))
            let lines = door.lines()
            #expect(lines.count { $0.contains("a client is refused") } == 1)
            #expect(!lines.contains { $0.contains("dora") })
        }
    }

    @Test func `A file that is not a whole database counts as missing`() async throws {
        try await withDoor { door in
            let queue = try door.lockable()
            try queue.database.close()
            let whole = try Data(contentsOf: URL(fileURLWithPath: door.town.path))
            var damaged = whole
            for index in damaged.indices.dropFirst(100) where index % 3 == 0 {
                damaged[index] = 0xaa
            }
            for bytes in [Data(), Data("SQLite format 3".utf8), whole.prefix(5000), damaged] {
                let path = door.town.path + ".bad"
                try bytes.write(to: URL(fileURLWithPath: path))
                let other = Door(door.town, opening: Town.opening(path))
                other.pass(.seconds(1))
                #expect(other.enter("alice.phone") == nil)
                #expect(other.enter("kith:bridge") == nil)
                other.pass(.seconds(3))
                #expect(
                    !other.lines().contains { $0.contains("everything is refused") },
                    "the bridge may be making it")
                other.pass(.seconds(2))
                #expect(other.lines().contains { $0.contains("everything is refused") })
                try FileManager.default.removeItem(atPath: path)
            }
        }
    }
}

/// Another program's connection, to a database that readers can be locked out of.
struct Locker {
    let database: DatabaseQueue

    func lock() throws {
        try database.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
    }

    func unlock() throws {
        try database.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }
}

extension Door {
    /// Puts a copy without a write-ahead log in the database's place.
    func lockable() throws -> Locker {
        let copy = town.path + ".copy"
        let source = try DatabaseQueue(path: town.path)
        try source.vacuum(into: copy)
        try source.close()
        for suffix in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: town.path + suffix) {
            try FileManager.default.removeItem(atPath: town.path + suffix)
        }
        try FileManager.default.moveItem(atPath: copy, toPath: town.path)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return Locker(
            database: try DatabaseQueue(path: town.path, configuration: configuration))
    }
}
