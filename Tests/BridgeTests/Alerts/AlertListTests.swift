import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// `alert.list`: the newest first, before a given alert.
struct AlertListTests {
    /// Alice has started and stopped twenty journeys.
    private func world() throws -> World {
        let world = try World.withFamily()
        for number in 0..<20 {
            let eta = world.now + .seconds(3600)
            try world.ask(
                "alice", "journey.start",
                #"{"groups":"all","destination":{\#(Meridian.json(9000)),"name":"\#(number)"},"#
                    + #""eta":\#(eta.milliseconds)}"#)
            world.sleep(.seconds(1))
            try world.ask("alice", "journey.stop")
            world.sleep(.seconds(1))
        }
        return world
    }

    private func list(_ world: World, _ more: String = "") throws -> [JSONValue] {
        let reply = try world.ask("bob", "alert.list", #"{"group":"$family"\#(more)}"#)
        return reply["result"]?["alerts"]?.elements ?? []
    }

    @Test func `The newest alerts are listed first`() throws {
        let alerts = try list(try world())
        #expect(alerts.count == 40)
        let times = alerts.compactMap { $0["at"]?.text }
        #expect(times == times.sorted(by: >))
        #expect(alerts[0]["text"]?.text == "Alice has stopped the journey to 19.")
        #expect(alerts[39]["kind"]?.text == "journey-started")
    }

    @Test(arguments: [1, 7, 39, 40, 41, 100])
    func `Paging lists every alert once`(_ limit: Int) throws {
        let world = try world()
        var (pages, before): ([[JSONValue]], String) = ([], "")
        repeat {
            pages.append(try list(world, #","limit":\#(limit)\#(before)"#))
            before = #","before":"\#(pages.last?.last?["id"]?.text ?? "")""#
        } while pages.last?.count == limit
        #expect(pages.dropLast().allSatisfy { $0.count == limit })
        #expect(pages.flatMap { $0 } == (try list(world)))
    }

    @Test func `A new member sees an ongoing SOS and later alerts`() throws {
        let world = try World.withFamily()
        try world.addUsers("zoe")
        for _ in 1...2 {
            try world.fix("alice", TestFix(100))
            #expect(try world.outcome("alice", "sos.trigger") == "ok")
            world.sleep(.seconds(5))
            #expect(try world.outcome("alice", "sos.stop") == "ok")
            world.sleep(.seconds(5))
        }
        #expect(try world.outcome("alice", "sos.trigger") == "ok")
        world.sleep(.seconds(5))
        try world.operate(.addMember(world.names["family"], "zoe"))
        func kinds() throws -> [String] {
            let list = try world.ask("zoe", "alert.list", #"{"group":"$family"}"#)["result"]
            return (list?["alerts"]?.elements ?? []).compactMap { $0["kind"]?.text }
        }
        #expect(try kinds() == ["sos"])
        world.sleep(.seconds(5))
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        #expect(try kinds() == ["sos-stopped"])
        #expect(try list(world).count == 6)
    }

    @Test func `The list has 50 alerts by default, only of the requested group`() throws {
        let world = try world()
        for number in 0..<8 {
            try Script.play(
                in: world,
                """
                10:\(10 + number):00 alice triggers SOS
                10:\(10 + number):01 alice stops SOS
                """)
        }
        #expect(try list(world).count == 50)
        #expect(try list(world, #","limit":100"#).count == 56)
        try world.addGroup("Work", "alice", "bob")
        let work = try world.ask("bob", "alert.list", #"{"group":"$work"}"#)
        #expect(work["result"]?["alerts"] == .array([]))
    }

    @Test func `A listed alert shows who has seen it`() throws {
        let world = try world()
        let first = try #require(try list(world, #","limit":1"#).first?["id"]?.text)
        try world.ask("bob", "alert.acknowledge", #"{"alert":"\#(first)"}"#)
        world.sleep(.seconds(1))
        try world.addUsers("carol")
        try world.operate(.addMember(world.names["family"], "carol"))
        try world.ask("carol", "alert.acknowledge", #"{"alert":"\#(first)"}"#)
        #expect(
            try list(world, #","limit":1"#).first?["acknowledgedBy"]
                == .array([.string("bob"), .string("carol")]))
        try world.restart()
        #expect(
            try list(world, #","limit":1"#).first?["acknowledgedBy"]?.elements.count == 2)
    }
}
