import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// An erased user leaves no trace in any table or on the broker.
struct TraceTests {
    /// The search terms: words and numbers that occur for no one else.
    private static let words = [
        "quentin", "Quentin", "Quen-First", "Quen-Last", "quentin-mail", "Hideout",
    ]
    /// 12.3456789° N, of two fixes.
    private static let latitude: Int64 = 123_456_789

    /// Quentin and Bob are a family with an OwnTracks app each, and everything has happened to
    /// them.
    private func world() throws -> World {
        let world = try World()
        try world.addUsers("bob")
        try world.operate(
            .addUser(
                "quentin", displayName: "Quentin & Co", email: "quentin-mail@example.org",
                ownTracksPublishIsSOS: false))
        try world.addGroup("Family", "bob", "quentin")
        try world.addGroup("Alone", "quentin")
        world.now(plus: 1)
        try Script.play(
            in: world,
            """
            10:00:02 quentin's app at 1 m
            10:00:03 bob's app at 2 m
            10:00:04 quentin shares with all
            10:00:05 bob shares with all
            """)
        try world.ask(
            "quentin", "journey.start",
            """
            {"id":"q","groups":"all","eta":"2026-05-01T12:00:00Z",
            "destination":{"latitude":1,"longitude":2,"name":"Hideout"}}
            """)
        for number in 0..<130 {
            world.sleep(.seconds(1))
            try world.fix("quentin", TestFix(number, seq: Int64(number)))
        }
        // So far away that it takes two.
        for _ in 1...2 {
            world.sleep(.seconds(1))
            try world.send(
                world.fixMessage(
                    "quentin",
                    #"{"latitude":12.3456789,"longitude":2,"timestamp":\#(world.now.milliseconds)}"#
                ))
        }
        try world.ask("quentin", "sos.trigger", #"{"id":"s"}"#)
        let alerts = try world.ask("bob", "alert.list", #"{"id":"0","group":"$family"}"#)
        let alert = try #require(alerts["result"]?["alerts"]?.elements.first?["id"]?.text)
        let payload = #"{"alert":"\#(alert)"}"#
        #expect(try world.outcome("bob", "alert.acknowledge", payload) == "ok")
        try world.ask("bob", "sos.trigger", #"{"id":"t"}"#)
        let other = #"{"alert":"\#(world.names.lastAlert)"}"#
        #expect(try world.outcome("quentin", "alert.acknowledge", other) == "ok")
        try world.say("quentin", "Meet me at the Hideout.")
        try world.say("quentin", "Hideout!", in: "alone")
        // Bob's answers mention Quentin, and are stored for when he repeats the requests.
        for (id, method, payload) in [
            ("1", "group.rename", #""group":"$family","name":"Family""#),
            ("2", "sharing.start", #""groups":"all""#),
            ("3", "friend.add", #""user":"quentin""#),
        ] {
            #expect(try world.outcome("bob", method, #"{"id":"\#(id)",\#(payload)}"#) == "ok")
        }
        return world
    }

    private func traces(_ world: World) throws -> [String] {
        let driver = world.store.driver
        return try driver.transaction { () throws(StoreError) in
            var tables: [String] = []
            try driver.query(TestDatabase.tables, []) {
                row throws(StoreError) in tables.append(try row.text(0))
            }
            var found: [String] = []
            for table in tables {
                var columns: [String] = []
                try driver.query(TestDatabase.columns(of: table), []) {
                    row throws(StoreError) in columns.append(try row.text(0))
                }
                for column in columns {
                    for word in TraceTests.words {
                        try driver.query(
                            "SELECT 1 FROM \(table) WHERE \(TestDatabase.bytes(of: column, include: word))",
                            []
                        ) { _ in found.append("\(table).\(column): \(word)") }
                    }
                    for number in ["\(TraceTests.latitude)", "12.3456789"] {
                        try driver.query(
                            "SELECT 1 FROM \(table) WHERE \(TestDatabase.bytes(of: column, include: number))",
                            []
                        ) { _ in found.append("\(table).\(column): place") }
                    }
                }
            }
            return found
        }
    }

    private func retainedTraces(_ world: World) -> [String] {
        world.retained.filter { topic, payload in
            let text = topic + String(decoding: payload, as: UTF8.self)
            return TraceTests.words.contains { text.contains($0) }
        }.map(\.key).sorted()
    }

    @Test func `No table or retained topic mentions an erased user`() throws {
        let world = try world()
        let before = Set(try traces(world).map { $0.prefix { $0 != "." } })
        for table in [
            "users", "trackers", "fixes", "path_points", "alerts", "replies", "access_changes",
            "chat_messages", "outbox",
        ] {
            #expect(before.contains(table[...]), "the search finds nothing in \(table)")
        }
        #expect(retainedTraces(world).count > 6)
        let reply = try world.operate(.removeUser("quentin"))
        let deleted = try #require(reply[0]["result"]?["deleted"])
        #expect(deleted["account"]?.integer == 1)
        #expect(deleted["devices"]?.integer == 2)
        #expect(deleted["memberships"]?.integer == 2)
        #expect(deleted["fixes"]?.integer == 133)
        #expect(deleted["paths"]?.integer == 1)
        #expect(deleted["pathPoints"]?.integer == 131)
        // Includes those of the group that closed when its last member left.
        #expect(deleted["alerts"]?.integer == 4)
        #expect(deleted["acknowledgements"]?.integer == 1)
        #expect(deleted["messages"]?.integer == 2)
        #expect(deleted["replies"]?.integer == 4)
        // After two sweeps every gate knows of the rights that ended.
        try world.sweep()
        world.sleep(.seconds(60))
        try world.sweep()
        #expect(try traces(world) == [])
        #expect(retainedTraces(world) == [])
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
    }

    @Test func `Unsent messages about an erased user are dropped or sent without them`() throws {
        let world = try world()
        world.confirms = false
        try Script.play(
            in: world,
            """
            10:20:00 quentin stops SOS
            10:20:01 quentin triggers SOS
            10:20:02 bob stops SOS
            """)
        try world.operate(.removeUser("quentin"))
        try world.sweep()
        world.sleep(.seconds(60))
        try world.sweep()
        #expect(try traces(world) == [])
        _ = world.published()
        try world.restart()
        let sent = world.published().map { $0.topic + String(decoding: $0.payload, as: UTF8.self) }
        #expect(sent.contains { $0.contains("sos-stopped") && $0.contains(#""user":"bob""#) })
        #expect(!sent.contains { text in TraceTests.words.contains { text.contains($0) } })
        #expect(try world.count("outbox", where: "topic = ''") == 0)
    }

    @Test func `A last will received after the erasure is cleared`() throws {
        let world = try world()
        try world.operate(.removeUser("quentin"))
        _ = world.published()
        try world.send(world.status("quentin", "offline"))
        let cleared = world.published().filter { $0.retain && $0.payload.isEmpty }.map(\.topic)
        #expect(cleared == ["kith/users/quentin/devices/phone/status"])
        // The bridge does not receive its own clearing message, but does receive other clients'.
        try world.send(world.status("quentin", ""))
        #expect(!world.published().contains { $0.retain })
    }

    // MARK: Long histories

    @Test func `A long history is erased in steps across a restart, and no one inherits it`() throws
    {
        let world = try World()
        try world.addUsers("alice")
        try world.send(world.fixMessage("alice", TestFix(1)))
        let phone = "(SELECT id FROM devices)"
        // As if the phone had sent them one by one before the last.
        try world.execute(
            """
            INSERT INTO fixes (id, device_id, previous_id, taken_at_ms, received_at_ms,
                latitude_e7, longitude_e7)
            WITH RECURSIVE numbers (n) AS (
                SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
            SELECT n, \(phone), n - 1, n, n, n, n FROM numbers
            """)
        try world.execute(
            "UPDATE trackers SET document = REPLACE(document, '\"last\":1', '\"last\":5000')")
        try world.restart()
        try world.operate(.removeUser("alice"))
        #expect(try world.count("users") == 0)
        // Besides the device, the user, and the search for mentions.
        #expect(try world.count("fixes") == 4003)
        try world.turn()
        #expect(try world.count("fixes") == 4003, "the next part waits its time")
        try world.restart()
        try world.addUsers("bob")
        #expect(try world.count("fixes") == 3003)
        try world.fix("bob", TestFix(9))
        #expect(try world.count("fixes") == 3004)
        #expect(try world.integers("SELECT id FROM devices") != [1])
        try world.restart()
        try world.pass(.seconds(10))
        #expect(try world.count("fixes") == 1)
        #expect(try world.count("erasures") == 0)
        #expect(world.engine.nextTimer.map { $0 > world.now } ?? true)
    }
}

extension World {
    fileprivate func now(plus seconds: Double) { sleep(.seconds(seconds)) }
}
