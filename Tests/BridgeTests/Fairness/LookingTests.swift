import Contract
import JSON
import Limits
import MQTT
import Store
import Testing
import Tracking

@testable import Bridge

/// Scanning a list in memory costs as much as reading rows, and is bounded per request.
struct LookingTests {
    /// Alice and Bob, and `count` bakeries that are never open.
    private func world(_ count: Int, _ settings: BridgeSettings = BridgeSettings()) throws -> World
    {
        let world = try World.withFamily(settings)
        try world.store.transaction { transaction in
            for number in 0..<count {
                guard let id = Name("p\(100_000 + number)") else { continue }
                try transaction.save(.bakery(id, metres: number, hours: "Dec 24 10:00-11:00"))
            }
        }
        try world.restart()
        world.sleep(.seconds(60))
        return world
    }

    private static let queries = [
        #""text":"nowhere""#, #""open":true"#,
        #""open":true,"near":{"latitude":46,"longitude":14.5}"#,
    ]

    @Test(arguments: queries)
    func `A search without results ends by pages of a bounded cost`(_ query: String) throws {
        let world = try world(3_000)
        var (after, pages) = ("null", 0)
        repeat {
            let page = try world.ask("alice", "place.list", "{\(query),\"after\":\(after)}")
            #expect(page["result"]?["places"]?.elements.isEmpty == true)
            after = page["result"]?["next"]?.text.map { #""\#($0)""# } ?? "null"
            pages += 1
        } while after != "null" && pages < 100
        #expect(pages < 100)
        #expect((query.contains("open") ? 5... : 1...).contains(pages))
    }

    @Test func `A search of many places ends its page early and delays no one`() throws {
        var settings = BridgeSettings()
        settings.fairness.allowance = Allowance(burst: 1_000, perSecond: 100)
        let world = try world(2_000, settings)
        world.goesOn = false
        let search = (0..<50).map {
            world.requestMessage("alice", "place.list", #"{"id":\#($0),"text":"nowhere"}"#)
        }
        let sent = try world.turn(
            search + [world.requestMessage("bob", "sos.trigger", #"{"id":1}"#)])
        #expect(sent.contains { $0.topic.hasSuffix("/alerts") })
        #expect(world.engine.heldBack > 30)
    }

    @Test func `A reminder rule without an occurrence is evaluated at its owner's cost`() throws {
        var settings = BridgeSettings()
        settings.fairness.allowance = Allowance(burst: 1_000, perSecond: 100)
        let world = try ReminderTests.world(settings)
        world.goesOn = false
        let days = (1...31).map { "\($0)" }.joined(separator: ",")
        let rule = "FREQ=YEARLY;BYMONTHDAY=\(days);BYDAY=MO;BYSETPOS=300"
        let requests = (0..<20).map {
            world.requestMessage(
                "alice", "reminder.create",
                #"{"id":\#($0),"place":"bakery","text":"x","at":"2001-01-01T10:00","rrule":"\#(rule)"}"#
            )
        }
        try world.turn(requests)
        #expect(world.engine.heldBack > 10)
    }

    @Test func `Runs are found by a part of the name, in order`() throws {
        let world = try World.withFamily()
        try world.ask("alice", "run.organise", #"{"name":"Club","acceptTerms":true}"#)
        for number in 0..<5 {
            _ = try world.createRun(
                name: "Lauf \(number % 2 == 0 ? "ÖST" : "West") \(number)",
                hours: Int64(number + 2))
        }
        let found = try world.runs(#"{"search":"öst"}"#).map { $0["name"]?.text }
        #expect(found == ["Lauf ÖST 0", "Lauf ÖST 2", "Lauf ÖST 4"])
    }
}
