import Contract
import JSON
import Racing
import Store
import Testing
import Tracking

@testable import Bridge

/// Of every table somebody has said what a person gets of it, and nothing of it outlives them.
struct PersonalTableTests {
    /// Everything happened to Alice.
    private func world() throws -> World {
        let world = try World.withFamily()
        try world.addUsers("carol")
        let until = world.now.milliseconds + 3_600_000
        for (sender, method, payload) in [
            ("alice", "sos.trigger", "{}"), ("alice", "sos.stop", "{}"),
            ("alice", "chat.send", #"{"group":"$family","text":"hello"}"#),
            ("alice", "channel.add", #"{"kind":"webhook","url":"https://hook.example/"}"#),
            ("alice", "share.create", #"{"what":"position","until":\#(until)}"#),
            ("alice", "observer.create", #"{"group":"$family","name":"Home"}"#),
            (
                "alice", "account.update",
                #"{"phone":"+386 1 23 45","language":"de","avatar":"\#(World.picture)"}"#
            ),
            ("alice", "friend.add", #"{"user":"bob"}"#), ("alice", "vitals.consent", "{}"),
            ("alice", "emergency.subscribe", "{}"),
            ("alice", "run.organise", #"{"name":"A.","acceptTerms":true}"#),
            ("alice", "run.create", world.newRun()),
            ("alice", "health.profile", #"{"ssn":"1234"}"#),
            (
                "alice", "import.add",
                #"{"source":"Watch","positions":[{"latitude":1,"longitude":2,"timestamp":3}]}"#
            ),
            ("bob", "friend.add", #"{"user":"alice"}"#),
            ("alice", "group.invite", #"{"group":"$family","user":"carol"}"#),
            ("alice", "friend.block", #"{"user":"carol"}"#), ("bob", "sos.trigger", #"{"id":"b"}"#),
        ] {
            try world.fix("alice", TestFix(1))
            try world.vitals("alice", rate: 72)
            #expect(try world.outcome(Sender(sender), method, payload) == "ok")
            world.sleep(.seconds(5))
        }
        let run = try world.runs().first?["run"]?.text ?? ""
        #expect(try world.outcome("alice", "run.enrol", #"{"run":"\#(run)"}"#) == "ok")
        try world.store.transaction { transaction throws(StoreError) in
            guard let alice = try transaction.user("alice") else { return }
            try transaction.insertPasskeyHandle([1], of: alice.id)
            try transaction.save(
                DirectoryAccountRow(
                    user: alice.id, entry: "entryuuid=7", login: "alice.lake",
                    confirmedAt: world.now, due: world.now))
            let result = RunResultRow(
                run: Name(run) ?? "none", user: alice.id, bib: 1, name: nil, Runner())
            try transaction.set(result)
            try transaction.insert(
                PasskeyRow(
                    id: UUIDv7(at: world.now, random: (1, 2)), user: alice.id, credential: [1],
                    publicKey: [2], signCount: 0, isSynced: true, label: "Key",
                    addedAt: world.now, challengeAt: world.now))
        }
        try world.importPlaces(.bakery())
        let at = #""at":"2099-01-01T09:00""#
        _ = try world.ask("alice", "reminder.create", #"{"place":"bakery","text":"x",\#(at)}"#)
        _ = try world.ask(
            "alice", "geofence.create", World.school.replacing("}", with: #","group":"$family"}"#))
        let fence = try world.addFence(by: "alice")
        _ = try world.ask(
            "alice", "geofence.rule.add",
            #"{"geofence":"\#(fence)","when":"arrives","user":"alice","tell":{"user":"bob"}}"#)
        _ = try world.addRule(#""when":"leaves","user":"alice","tell":{"user":"alice"}"#)
        try world.makeService()
        #expect(try world.outcome("alice", "service.add", #"{"service":"myheart"}"#) == "ok")
        try world.makeService("mysteps")
        let asked = try world.askAsService(
            "data.request", #"{"user":"alice","reason":"Why?"}"#, service: "mysteps")
        #expect(asked.outcome == "ok")
        let seen = #"{"id":"a","alert":"\#(world.names.lastAlert)","kind":"coming"}"#
        #expect(try world.outcome("alice", "alert.acknowledge", seen) == "ok")
        try world.collapse()
        #expect(try world.outcome("alice", "emergency.reactivate") == "ok")
        return world
    }

    private func texts(_ world: World, _ sql: String) throws -> [String] {
        let driver = world.store.driver
        return try driver.transaction { () throws(StoreError) in
            var found: [String] = []
            try driver.query(sql, []) { row throws(StoreError) in found.append(try row.text(0)) }
            return found
        }
    }

    private func tables(_ world: World) throws -> [String] {
        try texts(
            world,
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    }

    @Test func `Of every table somebody has said what a person gets of it`() throws {
        let world = try world()
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

    @Test func `What is said to be exported is`() throws {
        let world = try world()
        var types: Set<String> = []
        for person in ["alice", "acme"] { types.formUnion(try exported(world, Sender(person))) }
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

    private func exported(_ world: World, _ person: Sender) throws -> Set<String> {
        var types: Set<String> = []
        var cursor = JSONValue.null
        repeat {
            var payload = JSONWriter()
            payload.value(cursor)
            let field =
                cursor == .null
                ? "" : #""cursor":"# + String(decoding: payload.bytes, as: UTF8.self)
            let page = try world.ask(person, "account.export", "{\(field)}")["result"]
            types.formUnion((page?["items"]?.elements ?? []).compactMap { $0["type"]?.text })
            cursor = page?["next"] ?? .null
        } while cursor != .null
        return types
    }

    @Test func `No table keeps the number of somebody who was erased`() throws {
        let world = try world()
        let user = try #require(
            try world.integers("SELECT id FROM users WHERE name = 'alice'").first)
        let devices = try world.integers("SELECT id FROM devices WHERE user_id = \(user)")
        #expect(!devices.isEmpty)
        func traces() throws -> Set<String> {
            var found: Set<String> = []
            for table in try tables(world) {
                for column in try texts(world, "SELECT name FROM pragma_table_info('\(table)')") {
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

    /// What a group sees of its members goes when they leave, before the group is closed.
    private static let goneWithMembers: Set = ["memberships", "path_groups", "closed_groups"]

    @Test func `What refers to a group can be erased with it`() throws {
        let world = try world()
        for table in try tables(world) where !PersonalTableTests.goneWithMembers.contains(table) {
            let targets = try texts(
                world, "SELECT \"table\" FROM pragma_foreign_key_list('\(table)')")
            guard targets.contains("groups") else { continue }
            #expect(
                StoredTable.all.contains { $0.name == table && $0.isErasedWithGroup },
                "\(table) refers to groups: say in its StoredTable what remainsOfGroup are.")
        }
    }
}
