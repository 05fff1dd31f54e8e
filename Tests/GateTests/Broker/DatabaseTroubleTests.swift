import Contract
import Foundation
import GRDB
import MQTT
import Testing

/// The database goes away under the broker's hands.
struct DatabaseTroubleTests {
    private static let fix = "kith/users/alice/devices/phone/fix"

    /// Waits until nobody may do anything, or everybody may again.
    private func wait(_ gate: GatedBroker, until isOpen: Bool) throws {
        let deadline = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < deadline {
            let peer = try gate.client("alice.tablet")
            try peer.connect()
            let isLetIn = peer.connection.isConnected
            try peer.leave()
            if isLetIn == isOpen { return }
        }
        throw NothingHappened()
    }

    /// A broker in trouble lets nobody do anything, and then goes on as before.
    private func endure(
        _ trouble: (Town) throws -> Void, recover: (Town) throws -> Void
    ) async throws {
        try await withGate { gate in
            try gate.settle()
            let (bridge, alice) = (try gate.enter("kith:bridge"), try gate.enter("alice.phone"))
            let quiet = try gate.enter("bob.phone")
            for peer in [alice, quiet] { try peer.subscribe(to: FamilyTopic.root + "/#") }
            #expect(try bridge.publish(FamilyTopic.alerts, "before") == .accepted)
            try trouble(gate.town)
            try wait(gate, until: false)
            // A message is not refused but has to come again: it may have been all right.
            #expect(try alice.publish(DatabaseTroubleTests.fix) == .cutOff)
            #expect(try bridge.publish(FamilyTopic.alerts, "meanwhile") == .cutOff)
            #expect(try !quiet.subscribe(to: FamilyTopic.alice))
            try recover(gate.town)
            try wait(gate, until: true)
            for peer in [alice, bridge] {
                try peer.connect()
                #expect(peer.connection.isConnected)
            }
            #expect(try alice.publish(DatabaseTroubleTests.fix) == .accepted)
            try bridge.publish(FamilyTopic.alerts, "again")
            try turn([quiet]) { quiet.payloads.contains("again") }
            #expect(quiet.payloads == ["before", "again"])
            let lines = try gate.lines.filter { $0.contains("kith:") }
            #expect(lines.count { $0.contains("everything is refused") } == 1)
            #expect(lines.count { $0.contains("can be read again") } == 1)
        }
    }

    @Test func `Without its file nobody may do anything, until it is back`() async throws {
        try await endure { town in
            for suffix in ["", "-wal", "-shm"] { try move(town.path + suffix, ".away" + suffix) }
        } recover: { town in
            for suffix in ["", "-wal", "-shm"] { try moveBack(town.path + suffix, ".away" + suffix) }
        }
    }

    @Test func `With another file in its place what that says holds`() async throws {
        try await withTemporaryCopy { copy in
            try await endure { town in
                try town.store.copy(to: copy)
                for suffix in ["", "-wal", "-shm"] { try move(town.path + suffix, ".away" + suffix) }
                try Data("This is no database, and was never one. It only lies here.".utf8)
                    .write(to: URL(fileURLWithPath: town.path))
            } recover: { town in
                try FileManager.default.removeItem(atPath: town.path)
                try FileManager.default.moveItem(atPath: copy, toPath: town.path)
            }
        }
    }

    @Test func `While somebody locks it nobody may do anything`() async throws {
        var locker: DatabaseQueue?
        try await endure { town in
            let queue = try DatabaseQueue(path: town.path)
            // In the write-ahead log's mode readers need no lock.
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
                try database.execute(sql: "PRAGMA journal_mode = DELETE")
                try database.execute(sql: "BEGIN EXCLUSIVE")
            }
            locker = queue
        } recover: { _ in
            try locker?.close()
            locker = nil
        }
    }

    private func move(_ path: String, _ suffix: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.moveItem(atPath: path, toPath: path + suffix)
    }

    private func moveBack(_ path: String, _ suffix: String) throws {
        guard FileManager.default.fileExists(atPath: path + suffix) else { return }
        try FileManager.default.moveItem(atPath: path + suffix, toPath: path)
    }
}
