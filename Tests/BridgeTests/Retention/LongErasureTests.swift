import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// A user with many rows is erased a bounded part at a time, and no one sees the rest.
struct LongErasureTests {
    /// In one turn Alice is removed and Bob calls for help.
    private func removeDuringCall(_ world: World) throws -> [Publication] {
        let command = OperatorCommand.removeUser("alice")
        let now = world.now
        _ = try world.store.transaction { try $0.insertOperatorRequest(command.json, at: now) }
        return try world.turn([world.requestMessage("bob", "sos.trigger")], .operatorRequests)
    }

    private func alerts(_ publications: [Publication]) -> [String] {
        publications.filter { $0.topic.hasSuffix("/alerts") }
            .compactMap { JSONValue.read($0.payload)["kind"]?.text }
    }

    private func isOver(_ world: World) throws -> Bool {
        try world.count("closed_groups") + world.count("erased_users") + world.count("mentions")
            + world.count("erasures") == 0
    }

    // MARK: How much at a time

    /// It counts rows, and writes nothing.
    @Test func `The erasing turn costs hardly more for a long history than for a short one`() throws
    {
        let (short, long) = (100, 3000)
        var costs: [Int64] = []
        for size in [short, long] {
            let world = try World.withLongLife(size)
            let before = world.store.driver.work
            #expect(alerts(try removeDuringCall(world)).contains("sos"))
            costs.append(world.store.driver.work - before)
        }
        // Messages, alerts and path points.
        let rows = Int64(7 * (long - short))
        #expect(costs[1] - costs[0] < rows * WorkSteps.change / 20)
    }

    @Test func `The rest is erased in bounded parts, with pauses, to the last row`() throws {
        let world = try World.withLongLife(1000)
        _ = try removeDuringCall(world)
        var left = try world.countOfAlice()
        #expect(left > 6 * Turn.maximumErasure)
        var turns = 0
        while try !isOver(world) {
            try world.turn()
            let now = try world.countOfAlice()
            #expect(left - now <= Turn.maximumErasure)
            left = now
            try world.turn()
            #expect(try world.countOfAlice() == left, "the next part waits its time")
            world.sleep(.milliseconds(50))
            turns += 1
        }
        #expect(turns > 6)
        #expect(left == 0)
        #expect(try world.count("alerts", where: "user_id = 1") == 0)
        #expect(try world.count("acknowledgements") == 0)
        #expect(try world.count("users") == 1)
        #expect(try world.count("groups") == 1)
        #expect(try !world.hasDanglingReferences())
        // The family's messages have kept their places.
        #expect(try world.count("chat_messages", where: "user_id IS NULL AND text IS NULL") == 502)
    }

    @Test func `A call for help in the same batch is sent before the erasure continues`() throws {
        let world = try World.withLongLife(500)
        let left = try world.countOfAlice()
        #expect(alerts(try removeDuringCall(world)) == ["sos"])
        #expect(try world.count("users", where: "name = 'alice'") == 0)
        #expect(try world.countOfAlice() == left)
        // It was due, and is done at once if no one calls for help.
        #expect(try #require(world.engine.nextTimer) <= world.now)
        try world.turn()
        #expect(try world.countOfAlice() < left)
    }

    @Test func `A running sweep does not delay a call for help`() throws {
        let world = try World.withLongLife(500)
        try world.execute("UPDATE replies SET at_ms = 0")
        let replies = try world.count("replies")
        let call = world.requestMessage("bob", "sos.trigger")
        #expect(alerts(try world.turn([call], .sweeping)) == ["sos"])
        // The answer to the call is new.
        #expect(try world.count("replies") == replies)
        try world.turn()
        #expect(try world.count("replies") < replies)
    }

    // MARK: Until the last row

    @Test func `Data not yet deleted is shown to no one`() throws {
        let world = try World.withLongLife(2000)
        let stored = try world.store.transaction { transaction in
            guard let group = try transaction.groups().first else { return [AlertRow]() }
            return try transaction.alerts(of: group.id, before: nil, limit: 1)
        }
        let alert = try #require(stored.first?.alert.id.description)
        _ = try removeDuringCall(world)
        let group = #"{"group":"$family","limit":100}"#
        let history = try world.ask("bob", "chat.history", group)
        let messages = try #require(history["result"]?["messages"]?.elements)
            .filter { $0["kind"]?.text == "message" }
        #expect(messages.count > 90)
        #expect(messages.allSatisfy { $0["from"] == nil && $0["text"] == nil })
        let alerts = try world.ask("bob", "alert.list", group)["result"]?["alerts"]?.elements
        #expect(alerts?.map { $0["user"]?.text } == ["bob"])
        #expect(
            try world.outcome("bob", "alert.acknowledge", #"{"alert":"\#(alert)"}"#)
                == "unknown-alert")
        let path = #"{"group":"$family","user":"alice"}"#
        #expect(try world.outcome("bob", "path.get", path) == "not-a-member")
        // Bob's earlier answer mentions her, so the request is processed again.
        _ = world.published()
        #expect(try world.outcome("bob", "group.rename", World.renaming) == "ok")
        let export = try world.ask("bob", "account.export")
        #expect(export["result"]?["items"]?.elements.isEmpty == false)
        let published = world.published()
        #expect(!published.isEmpty)
        for publication in published {
            let text = publication.topic + String(decoding: publication.payload, as: UTF8.self)
            #expect(!["alice", "Alice", "Hideout", alert].contains { text.contains($0) })
        }
        #expect(try world.countOfAlice() > 0)
        let (access, users) = try world.store.transaction { transaction in
            (try transaction.access(of: "alice"), try transaction.users().map(\.name))
        }
        #expect(access == nil)
        #expect(users == ["bob"])
        #expect(try world.twin().corrections(of: world.retained).isEmpty)
        #expect(!world.retained.keys.contains { $0.contains("alice") })
    }

    @Test func `An erasure continues after the process ends at any step`() throws {
        let world = try World.withLongLife(500)
        try world.operate(.removeUser("alice"))
        var left = try world.countOfAlice()
        while try !isOver(world) {
            try world.restart()
            try world.turn()
            let now = try world.countOfAlice()
            #expect(now <= left)
            left = now
        }
        #expect(left == 0)
        #expect(try world.count("users") == 1)
        #expect(try !world.hasDanglingReferences())
        try world.addUsers("carol")
        #expect(try world.outcome("carol", "account.get") == "ok")
    }

    @Test func `An erasure without a running bridge is completed at once`() throws {
        let world = try World.withLongLife(1000)
        _ = try removeDuringCall(world)
        try world.engine.finishErasures()
        #expect(try isOver(world))
        #expect(try world.countOfAlice() == 0)
    }

    @Test func `A group left by its last member is erased in the same way`() throws {
        let world = try World.withLongLife(3000)
        let key = try #require(
            world.retained.keys.compactMap { topic -> GroupKey? in
                guard case .group(let key) = world.topics.parse(topic), key != world.names["family"]
                else { return nil }
                return key
            }.first)
        let before = try world.countOfAlice()
        #expect(try world.outcome("alice", "group.leave", #"{"group":"\#(key)"}"#) == "ok")
        #expect(before - (try world.countOfAlice()) <= Turn.maximumErasure)
        let export = try world.ask("alice", "account.export", #"{"cursor":"alerts.g"}"#)
        #expect(export["result"] != nil || export["problem"] != nil)
        let groups = try world.ask("alice", "group.list")["result"]?["groups"]?.elements
        #expect(groups?.count == 1)
        try world.pass(.seconds(10))
        #expect(try world.count("groups") == 1)
        #expect(try world.count("chat_messages", where: "text = 'Hideout'") == 1500)
        #expect(try world.count("alerts") == 1500)
    }
}
