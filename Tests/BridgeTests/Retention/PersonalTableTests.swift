import Contract
import JSON
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Every table declares what a person gets of it, and nothing of it outlives them.
struct PersonalTableTests {
    private func texts(_ world: World, _ sql: String) throws -> [String] {
        let driver = world.store.driver
        return try driver.transaction { () throws(StoreError) in
            var found: [String] = []
            try driver.query(sql, []) { row throws(StoreError) in found.append(try row.text(0)) }
            return found
        }
    }

    private func tables(_ world: World) throws -> [String] {
        try texts(world, TestDatabase.tables)
    }

    @Test func `Every table declares what a person gets of it`() throws {
        let world = try World.withEverything()
        for table in try tables(world) {
            #expect(
                StoredTable.all.contains { $0.name == table },
                """
                \(table) is not in the table of tables. Is it about a person? Then erase it and give \
                it to them; say so in Sources/Areas/<area>/Store/StoredTable+<area>.swift.
                """)
        }
        #expect(try Set(StoredTable.all.map(\.name)).subtracting(tables(world)) == [])
    }

    @Test func `Every table declared as exported is in an export`() throws {
        let world = try World.withEverything()
        var types: Set<String> = []
        for person in ["alice", "acme"] {
            types.formUnion(
                try world.wholeExport(of: Sender(person)).compactMap { $0["type"]?.text })
        }
        for table in StoredTable.all {
            guard case .exported(let type) = table.content else { continue }
            #expect(
                types.contains(type),
                """
                Nothing of \(table.name) is exported: see AreaHandler.exported of its area, or let \
                Alice do something that fills it, in the world of this test.
                """)
        }
        #expect(types.contains("usage"))
        let filed = Set(ExportList.all.map(\.type)).union(["account", "usage", "path", "fix"])
        #expect(
            types.subtracting(filed) == [],
            "They are in no file of an export: add an ExportList to the rows of their area.")
    }

    @Test func `No table keeps the number of an erased user`() throws {
        let world = try World.withEverything()
        let user = try #require(
            try world.integers("SELECT id FROM users WHERE name = 'alice'").first)
        let devices = try world.integers("SELECT id FROM devices WHERE user_id = \(user)")
        #expect(!devices.isEmpty)
        func traces() throws -> Set<String> {
            var found: Set<String> = []
            for table in try tables(world) {
                for column in try texts(world, TestDatabase.columns(of: table)) {
                    let numbers: [Int64]
                    switch (table, column) {
                    // How far the search has come.
                    case ("mentions", "device_id"): continue
                    case ("users", "id"), (_, "user_id"), (_, "friend_id"), (_, "blocked_id"):
                        numbers = [user]
                    case ("devices", "id"), (_, "device_id"): numbers = devices
                    default: continue
                    }
                    for number in numbers
                    where try world.count(table, where: "\(column) = \(number)") > 0 {
                        found.insert("\(table).\(column)")
                    }
                }
            }
            return found
        }
        let before = try traces()
        for table in ["users.id", "trackers.user_id", "alerts.user_id", "replies.device_id"] {
            #expect(before.contains(table))
        }
        try world.operate(.removeUser("alice"))
        #expect(try traces() == [], "Say in their StoredTable how they are hidden and erased.")
    }

    /// Rows about a group's members are deleted when they leave, before the group is closed.
    private static let goneWithMembers: Set = ["memberships", "path_groups", "closed_groups"]

    @Test(.onSQLite) func `Every table that refers to groups can be erased with them`() throws {
        let world = try World.withEverything()
        var found = 0
        for table in try tables(world) where !PersonalTableTests.goneWithMembers.contains(table) {
            let targets = try texts(
                world, "SELECT \"table\" FROM pragma_foreign_key_list('\(table)')")
            guard targets.contains("groups") else { continue }
            found += 1
            #expect(
                StoredTable.all.contains { $0.name == table && $0.isErasedWithGroup },
                "\(table) refers to groups: say in its StoredTable what remainsOfGroup are.")
        }
        #expect(found > 0)
    }
}
