import Contract
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

extension World {
    /// A family with Alice, who has a long history: she has written in the family's chat and in
    /// that of another group of hers, has called for help in both, and others' answers mention her.
    ///
    /// - Parameter size: the number of messages, and of alerts; there are five times as many path
    ///   points, and a tenth as many answers to Bob.
    static func withLongLife(_ size: Int) throws -> World {
        let world = try World.withFamily()
        try world.operate(.createGroup(try DisplayName("Alone"), firstMember: "alice"))
        for sender: Sender in ["alice", "bob"] { try world.fix(sender, TestFix(1)) }
        // Bob sends a request whose answer lists the group's members.
        #expect(try world.outcome("bob", "group.rename", World.renaming) == "ok")
        let alice = "(SELECT id FROM users WHERE name = 'alice')"
        let group = """
            (SELECT id FROM groups WHERE name = CASE n % 2 WHEN 0 THEN 'Home' ELSE 'Alone' END)
            """
        let id = "'01890000-0000-7000-8000-' || (100000000000 + n)"
        try world.insert(
            size,
            """
            INSERT INTO chat_messages (id, group_id, user_id, kind, text, at_ms)
            SELECT \(id), \(group), \(alice), 'message', 'Hideout', n FROM numbers
            """)
        // Bob can see everything in the family's chat.
        try world.execute("UPDATE memberships SET chat_from = '0'")
        try world.insert(
            size,
            """
            INSERT INTO alerts (id, group_id, user_id, document)
            SELECT \(id), \(group), \(alice),
                '{"id":"' || \(id) || '","kind":"sos","group":' || \(group) || ',"at":5}'
            FROM numbers
            """)
        try world.insert(
            size / 10,
            """
            INSERT INTO acknowledgements (alert_id, user_id, at_ms)
            SELECT \(id), id, 5 FROM numbers, users WHERE name = 'bob'
            """)
        try world.execute(
            """
            INSERT INTO paths (user_id, number, mode, started_at_ms, ended_at_ms, point_count)
            VALUES (\(alice), 900, 'sos', 1, 2, \(5 * size))
            """)
        try world.insert(
            5 * size,
            """
            INSERT INTO path_points (user_id, number, taken_at_ms, fix_id, latitude_e7,
                longitude_e7)
            SELECT \(alice), 900, n, n, n, n FROM numbers
            """)
        try world.insert(
            size / 10,
            """
            INSERT INTO replies (device_id, request, payload, at_ms)
            SELECT d.id, 'id:' || n || ' x', \(TestDatabase.bytes(#"{"by":"alice"}"#)),
                \(world.now.milliseconds)
            FROM numbers, devices d WHERE d.user_id <> \(alice)
            """)
        try world.restart()
        return world
    }

    /// Bob's request.
    static let renaming = #"{"id":"r","group":"$family","name":"Home"}"#

    /// - Parameter sql: may use the table `numbers`, from 1 to the count.
    private func insert(_ count: Int, _ sql: String) throws {
        try execute(
            """
            WITH RECURSIVE numbers (n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
            \(sql)
            """)
    }

    func execute(_ sql: String) throws {
        let driver = store.driver
        try driver.transaction { () throws(StoreError) in _ = try driver.execute(sql, []) }
    }

    /// The number of Alice's rows, and of those that mention her.
    func countOfAlice() throws -> Int {
        try count("chat_messages", where: "text = 'Hideout'")
            + count("alerts", where: "user_id = 1")
            + count("path_points")
            + count(
                "replies", where: TestDatabase.bytes(of: "payload", include: "alice"))
            + count("fixes", where: "device_id = 1")
    }
}
