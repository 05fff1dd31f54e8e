import Contract
import Foundation
import GRDB
import Glibc
import MQTT
import TestBroker
import TestSupport
import Testing

/// The database becomes unusable while the broker runs.
struct DatabaseTroubleTests {
    private static let fix = "kith/users/alice/devices/phone/fix"

    /// Waits until everything is refused, or allowed again.
    private func wait(_ gate: GatedBroker, until isOpen: Bool) throws {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            let peer = try gate.client("alice.tablet")
            try peer.connect()
            let isLetIn = peer.connection.isConnected
            try peer.leave()
            if isLetIn == isOpen { return }
            // Slow enough not to use up the device's and the total connection allowance.
            usleep(30_000)
        }
        throw NothingHappened()
    }

    /// Checks that the broker refuses everything during the trouble, and then continues as
    /// before.
    private func endure(
        _ trouble: (Town) throws -> Void, recover: (Town) throws -> Void
    ) async throws {
        try await withGate { gate in
            try gate.settle()
            let (bridge, alice) = (try gate.enter("kith:bridge"), try gate.enter("alice.phone"))
            let quiet = try gate.enter("bob.phone")
            for peer in [alice, quiet] { try peer.listen(to: FamilyTopic.root + "/#") }
            #expect(try bridge.publish(FamilyTopic.alerts, "before") == .accepted)
            try trouble(gate.town)
            try wait(gate, until: false)
            // A message is not refused, but has to be resent: it may have been permissible.
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
            // Unacknowledged messages were resent.
            #expect(quiet.payloads == ["before", "meanwhile", "again"])
            let lines = try gate.lines.filter { $0.contains("kith:") }
            #expect(lines.count { $0.contains("everything is refused") } == 1)
            #expect(lines.count { $0.contains("can be read again") } == 1)
        }
    }

    @Test func `A missing database file blocks everything until it is back`() async throws {
        try await endure { town in
            try town.takeAway()
        } recover: { town in
            // The file itself last: without its log it has different contents.
            for suffix in Town.suffixes.reversed() where exists(town.path + ".away" + suffix) {
                try FileManager.default.moveItem(
                    atPath: town.path + ".away" + suffix, toPath: town.path + suffix)
            }
        }
    }

    @Test func `A file that is not a database blocks everything`() async throws {
        try await endure { town in
            try town.copy(to: town.path + ".copy")
            try town.takeAway()
            try Data("This is no database, and was never one. It only lies here.".utf8)
                .write(to: URL(fileURLWithPath: town.path))
        } recover: { town in
            try FileManager.default.removeItem(atPath: town.path)
            try FileManager.default.moveItem(atPath: town.path + ".copy", toPath: town.path)
        }
    }

    @Test func `A locked database blocks everything`() async throws {
        var locker: DatabaseQueue?
        try await endure { town in
            // The copy has no write-ahead log: there a lock keeps readers out.
            try town.copy(to: town.path + ".copy")
            try town.takeAway()
            try FileManager.default.moveItem(atPath: town.path + ".copy", toPath: town.path)
            usleep(1_200_000)
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            // The gate may be reading at this moment.
            configuration.busyMode = .timeout(5)
            locker = try DatabaseQueue(path: town.path, configuration: configuration)
            try locker?.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        } recover: { _ in
            try locker?.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try locker?.close()
        }
    }

    @Test func `A replaced database takes effect`() async throws {
        try await withGate { gate in
            try gate.settle()
            let (bridge, bob) = (try gate.enter("kith:bridge"), try gate.enter("bob.phone"))
            try bob.listen(to: FamilyTopic.root + "/#", qos: .atMostOnce)
            let copy = gate.town.path + ".copy"
            try gate.town.copy(to: copy)
            let queue = try DatabaseQueue(path: copy)
            try await queue.write { try $0.execute(sql: "DELETE FROM memberships") }
            try queue.close()
            try gate.town.takeAway()
            try FileManager.default.moveItem(atPath: copy, toPath: gate.town.path)
            let witness = try gate.enter("bob.phone", id: "bob.witness")
            let deadline = ContinuousClock.now + patience
            while try witness.subscribe(to: FamilyTopic.root + "/#") {
                try #require(ContinuousClock.now < deadline, "the gate has not noticed")
                try turn([bridge, bob, witness], for: .milliseconds(50))
            }
            if !bridge.connection.isConnected { try bridge.connect() }
            #expect(try bridge.publish(FamilyTopic.alerts) == .accepted)
            try bob.catchUp()
            #expect(bob.messages.isEmpty)
        }
    }
}

private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

extension Town {
    fileprivate static let suffixes = ["", "-wal", "-shm"]

    fileprivate func takeAway() throws {
        for suffix in Town.suffixes where exists(path + suffix) {
            try FileManager.default.moveItem(
                atPath: path + suffix, toPath: path + ".away" + suffix)
        }
    }

    /// Copies it into a single file, without a log.
    fileprivate func copy(to copy: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.vacuum(into: copy)
        try queue.close()
    }
}
