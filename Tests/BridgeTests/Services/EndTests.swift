import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The notices to people and services when something ends.
struct EndTests {
    private func world() throws -> World {
        let world = try World.withFamily()
        try world.makeService(data: #""positions","vitals""#)
        #expect(try world.outcome("alice", "vitals.consent") == "ok")
        #expect(try world.outcome("alice", "service.add", #"{"service":"myheart"}"#) == "ok")
        _ = world.published()
        return world
    }

    private func kinds(_ world: World, on topic: String) -> [String] {
        world.published().filter { $0.topic == topic }
            .compactMap { JSONValue.read($0.payload)["kind"]?.text }
    }

    private static let service = "kith/services/myheart/notices"

    @Test(arguments: ["service", "company"])
    func `The end of a service or its company notifies users and ends their log`(_ what: String)
        throws
    {
        let world = try world()
        switch what {
        case "service":
            #expect(
                try world.outcome("acme/desk", "service.delete", #"{"service":"myheart"}"#) == "ok")
        default: try world.operate(.removeUser("acme"))
        }
        try world.pass(.seconds(5))
        #expect(kinds(world, on: "kith/users/alice/notices") == ["service-ended"])
        let log = try world.ask("alice", "access.log")["result"]?["entries"]?.elements ?? []
        #expect(log.first?["what"]?.text == "ended")
        #expect(log.count { $0["what"]?.text == "ended" } == 1)
    }

    @Test func `Many users of an ended service are notified once each, even across a restart`()
        throws
    {
        let world = try world()
        for number in 1...60 {
            let name = try #require(Name("user\(number)"))
            try world.addUsers(name)
            let added = #"{"service":"myheart"}"#
            #expect(try world.outcome(Sender("user\(number)"), "service.add", added) == "ok")
        }
        _ = world.published()
        world.goesOn = false
        #expect(
            try world.outcome("acme/desk", "service.delete", #"{"service":"myheart"}"#) == "ok")
        try world.restart()
        try world.pass(.seconds(10))
        let told = world.published().filter {
            $0.topic.hasSuffix("/notices")
                && JSONValue.read($0.payload)["kind"]?.text == "service-ended"
        }
        #expect(Set(told.map(\.topic)).count == 61)
        #expect(Set(told.compactMap { JSONValue.read($0.payload)["id"]?.text }).count == 61)
        let log = try world.ask("user60", "access.log")["result"]?["entries"]?.elements ?? []
        #expect(log.count { $0["what"]?.text == "ended" } == 1)
    }

    @Test func `Services are notified once of each deleted range`() throws {
        let world = try world()
        let stretch = #""from":"2026-11-01T00:00:00Z","to":"2026-11-02T00:00:00Z""#
        for what in ["positions", "vitals"] {
            let payload = #"{"what":"\#(what)",\#(stretch)}"#
            #expect(try world.outcome("alice", "data.delete", payload) == "ok")
        }
        let told = world.published().filter { $0.topic == Self.service }
            .map { JSONValue.read($0.payload) }
        #expect(told.map { $0["kind"]?.text } == ["data-deleted", "data-deleted"])
        #expect(told.map { $0["data"]?.elements.first?.text } == ["positions", "vitals"])
        #expect(told.allSatisfy { $0["user"]?.text == "alice" && $0["from"]?.text != nil })
    }

    @Test func `Services are notified once when vital signs are no longer stored`() throws {
        let world = try world()
        #expect(try world.outcome("alice", "vitals.withdraw") == "ok")
        #expect(kinds(world, on: Self.service) == ["vitals-ended"])
        #expect(try world.outcome("alice", "vitals.withdraw") == "ok")
        #expect(kinds(world, on: Self.service) == [])
    }
}
