import Contract
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Each retention setting deletes its own data at its own time, and nothing else: checked in the
/// file over a separate connection.
struct RetentionSettingTests {
    struct Case: CustomTestStringConvertible {
        let setting: String
        let tables: Set<String>
        let set: @Sendable (inout BridgeSettings, Duration) -> Void
        var testDescription: String { setting }

        init(
            _ setting: String, _ tables: Set<String>,
            _ set: @escaping @Sendable (inout BridgeSettings, Duration) -> Void
        ) {
            (self.setting, self.tables, self.set) = (setting, tables, set)
        }
    }

    static let cases = [
        Case("fixes", ["fixes", "paths of journeys"]) { $0.limits.retention = $1 },
        Case("sosPath", ["paths of SOS"]) { $0.retention.sosPath = $1 },
        Case("alerts", ["alerts"]) { $0.retention.alerts = $1 },
        Case("chat", ["chat_messages"]) { $0.retention.chat = $1 },
        Case("notices", ["notices"]) { $0.retention.notices = $1 },
        Case("vitals", ["vitals"]) { $0.retention.vitals = $1 },
        Case("imports", ["imported_positions"]) { $0.retention.imports = $1 },
        Case("accessLog", ["access_log"]) { $0.retention.accessLog = $1 },
        Case("incidents", ["incidents"]) { $0.retention.incidents = $1 },
    ]

    /// The counting queries, by the table and the kind of its rows.
    private static let kinds: [String: String] = {
        var kinds: [String: String] = [:]
        for name in cases.flatMap(\.tables) { kinds[name] = "SELECT COUNT(*) FROM \(name)" }
        for (name, mode) in [("paths of journeys", "journey"), ("paths of SOS", "sos")] {
            kinds[name] = """
                SELECT COUNT(*) FROM paths JOIN path_points USING (user_id, number)
                WHERE mode = '\(mode)'
                """
        }
        return kinds
    }()

    /// Something of everything, made within a few minutes.
    private func world(_ settings: BridgeSettings) throws -> World {
        let world = try World.withFamily(settings)
        try Script.play(
            in: world,
            """
            10:00:00 alice travels to 9000 m by 11:00:00 with family
            10:00:01 to 10:00:05 every 1 s alice at 0 m +1 m
            10:00:10 alice stops the journey
            10:00:20 alice triggers SOS
            10:00:21 to 10:00:25 every 1 s alice at 200 m +1 m
            10:00:30 alice stops SOS
            """)
        let family = world.names["family"]
        try world.ask("alice", "chat.send", #"{"group":"\#(family)","text":"Hello"}"#)
        try world.fix("bob", TestFix(1))
        try world.ask("alice", "friend.add", #"{"user":"bob"}"#)
        try world.ask("alice", "friend.share", #"{"with":"all"}"#)
        try world.ask("bob", "friend.nearby", #"{"radius":500}"#)
        let now = world.now.milliseconds
        try world.ask(
            "alice", "import.add",
            #"{"source":"Watch","positions":[{"latitude":1,"longitude":1,"timestamp":\#(now)}]}"#)
        try world.execute(
            """
            INSERT INTO vitals
                (user_id, device_id, taken_at_ms, received_at_ms, kinds, key_id, sealed)
            VALUES (1, 1, \(now), \(now), 1, 1, \(TestDatabase.bytes("\0")))
            """)
        try world.execute(
            """
            INSERT INTO incidents
                (id, user_id, status, attempts, messages, closed_at_ms, key_id, sealed)
            VALUES ('\(UUIDv7(at: world.now, random: (1, 2)))', 1, 'closed', 0, 0, \(now), 1, \(TestDatabase.bytes("\0")))
            """)
        return world
    }

    private func counts(_ world: World) throws -> [String: Int64] {
        let file = try Store.openReadOnly(world.database.address)
        var counts: [String: Int64] = [:]
        for (name, sql) in RetentionSettingTests.kinds {
            try file.transaction { _ in
                try file.driver.query(sql, []) { row throws(StoreError) in
                    counts[name] = try row.integer(0)
                }
            }
        }
        return counts
    }

    @Test(arguments: cases)
    func `A retention setting deletes only its own data, after its own time`(_ one: Case) throws {
        var settings = BridgeSettings()
        for other in RetentionSettingTests.cases { other.set(&settings, .seconds(300 * 86_400)) }
        one.set(&settings, .seconds(2 * 86_400))
        let world = try world(settings)
        let before = try counts(world)
        #expect(before.values.allSatisfy { $0 > 0 }, "\(before)")
        world.sleep(.seconds(2 * 86_400 - 600))
        try world.sweep()
        try world.pass(.seconds(5))
        let kept = try counts(world)
        for table in one.tables { #expect(kept[table] ?? 0 >= before[table] ?? 0, "\(table)") }
        // All of it is older than that now, and a sweep begins every minute.
        world.sleep(.seconds(600 + 60))
        try world.sweep()
        try world.pass(.seconds(5))
        let after = try counts(world)
        for (table, count) in after {
            if one.tables.contains(table) {
                #expect(count == 0, "\(table)")
            } else {
                #expect(count >= before[table] ?? 0, "\(table)")
            }
        }
    }
}
