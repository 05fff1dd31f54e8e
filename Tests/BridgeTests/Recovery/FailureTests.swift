import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// After a failure of the database, memory agrees with the database.
struct FailureTests {
    private func expected(_ engine: Engine) throws -> [String: [UInt8]] {
        Dictionary(
            uniqueKeysWithValues: try engine.corrections(of: [:]).map { ($0.topic, $0.payload) })
    }

    /// One request or fix of each kind, all of which change something.
    private static let deeds = [
        "alice at 20 m seq 2", "alice goes offline", "alice stops sharing with family",
        "alice triggers SOS at 30 m", "alice travels to 1000 m by 11:00:00 with family",
        #"alice asks group.create {"name":"Choir"}"#, #"bob asks group.leave {"group":"$family"}"#,
        #"alice asks group.add {"group":"$family","user":"carol"}"#,
        #"alice asks group.rename {"group":"$family","name":"Home"}"#, "carol at 1 m",
        #"alice asks group.invite {"group":"$family","user":"bert"}"#,
        #"alice asks group.invite {"group":"$family"}"#,
        "bob's app at 5 m", "alice at 1 m seq 7 & alice stops sharing with all & bob at 2 m",
    ]

    /// Alice shares a position with Bob; Carol is in no group.
    private func world(_ faults: Faults) throws -> World {
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        try world.addUsers("carol")
        try world.letAdd("alice", "carol")
        try Script.play(in: world, "10:00:00 alice shares with all\n10:00:01 alice at 10 m seq 1")
        _ = world.published()
        return world
    }

    @Test(arguments: deeds)
    func `A commit that fails leaves store, memory and broker as they were`(_ deed: String) throws {
        let faults = Faults()
        let world = try world(faults)
        let (tables, before) = (try world.tableCounts(), try expected(world.engine))
        faults.failNextCommit = true
        #expect(throws: StoreError.self) {
            try Script.play(in: world, "10:00:10 \(deed)")
        }
        #expect(world.published().isEmpty)
        #expect(try world.tableCounts() == tables)
        #expect(try expected(world.engine) == before)
    }

    @Test(arguments: deeds)
    func `A failed batch succeeds when it is redelivered`(_ deed: String) throws {
        let (faults, none) = (Faults(), Faults())
        let (world, sound) = (try world(faults), try world(none))
        try Script.play(in: sound, "10:00:10 \(deed)")
        faults.failNextCommit = true
        #expect(throws: StoreError.self) { try Script.play(in: world, "10:00:10 \(deed)") }
        try world.turn(world.lastBatch)
        #expect(try world.tableCounts() == sound.tableCounts())
        let topics = { (world: World) in world.retained.keys.map(world.names.shorten).sorted() }
        #expect(topics(world) == topics(sound))
        #expect(try expected(world.engine) == expected(try world.twin()))
    }

    /// A backup holds the lock: neither the turn nor reading the current state succeeds.
    @Test(arguments: [0, 1, 2, 3])
    func `Memory that could not be reloaded is not trusted`(_ busy: Int) throws {
        let faults = Faults()
        let world = try world(faults)
        faults.failNextCommit = true
        faults.busyAfterwards = busy
        world.sleep(.seconds(5))
        let fix = world.fixMessage("alice", TestFix(20, seq: 2))
        #expect(throws: StoreError.self) { try world.turn([fix]) }
        for _ in 0..<busy {
            do { try world.turn([fix]) } catch { #expect(error is StoreError) }
        }
        try world.turn([fix])
        #expect(try world.count("fixes") == 2)
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 20)
        #expect(try expected(world.engine) == expected(try world.twin()))
    }

    @Test(.onSQLite) func `A locked database delays a fix without losing it`() throws {
        let world = try world(Faults())
        let other = try Store.open(world.database.address, at: world.now)
        world.sleep(.seconds(5))
        let fix = world.fixMessage("alice", TestFix(20, seq: 2))
        #expect(throws: StoreError.self) {
            try other.transaction { _ in
                do {
                    try world.turn([fix])
                } catch {
                    throw StoreError(.begin, reason: "\(error)")
                }
            }
        }
        #expect(try world.count("fixes") == 1)
        try world.turn([fix])
        #expect(try world.count("fixes") == 2)
    }

    @Test func `A damaged row throws a descriptive error instead of trapping`() throws {
        let world = try World.withFamily()
        _ = try world.store.transaction { _ in
            try world.store.driver.execute("UPDATE trackers SET document = '{}'", [])
        }
        #expect(throws: StoreError(.decode, reason: "a document is damaged")) {
            try world.twin()
        }
    }
}
