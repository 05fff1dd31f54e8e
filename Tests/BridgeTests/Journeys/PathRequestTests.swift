import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// `path.get` returns a path in pages.
struct PathRequestTests {
    /// Alice's path of 1000 points on a journey or in an SOS, some of which arrived late.
    private func world(_ beginning: String) throws -> World {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice \(beginning)")
        world.sleep(.seconds(10_000))
        let fixes = (1...1000).map { TestFix($0, ago: Double(1000 - $0)) }
        for start in stride(from: 0, to: 1000, by: 100) {
            let part = fixes[start..<(start + 100)].reversed().map { $0.json(at: world.now) }
            try world.send(world.fixMessage("alice", "[\(part.joined(separator: ","))]"))
        }
        return world
    }

    private static let journey = "travels to 9000 m by 23:00:00 with family"

    /// All pages of Alice's path.
    private func pages(_ world: World, _ asker: Sender, format: String) throws -> [JSONValue] {
        var pages: [JSONValue] = []
        var cursor = "0"
        while true {
            let payload =
                #"{"group":"$family","user":"alice","format":"\#(format)","cursor":"\#(cursor)"}"#
            let result = try #require(try world.ask(asker, "path.get", payload)["result"])
            pages.append(result["path"] ?? .null)
            guard let next = result["next"]?.text else { return pages }
            try #require(next != cursor)
            cursor = next
        }
    }

    @Test func `GeoJSON paths are split into pages that fit, each point once and in order`() throws
    {
        let world = try world(Self.journey)
        let pages = try pages(world, "bob", format: "geojson")
        #expect(pages.count > 1)
        let positions = pages.flatMap { $0["geometry"]?["coordinates"]?.elements ?? [] }
        #expect(
            positions.map { Meridian.meters(latitude: $0.elements[1].number ?? 0) }
                == Array(1...1000))
        #expect(positions.allSatisfy { $0.elements[0].number == 14.5 })
        let times = pages.flatMap { $0["properties"]?["times"]?.elements ?? [] }
        #expect(times.count == 1000)
        #expect(times.compactMap(\.number) == times.compactMap(\.number).sorted())
        #expect(pages.allSatisfy { $0["type"]?.text == "Feature" })
        #expect(pages.allSatisfy { $0["properties"]?["mode"]?.text == "journey" })
    }

    @Test func `GPX paths are split into pages that fit, each point once and in order`() throws {
        let world = try world(Self.journey)
        let pages = try pages(world, "alice", format: "gpx").map { $0.text ?? "" }
        let latitudes = pages.flatMap { page in
            page.matches(of: /<trkpt lat="([0-9.]+)" lon="14.5">/).compactMap { Double($0.1) }
        }
        #expect(latitudes.map { Meridian.meters(latitude: $0) } == Array(1...1000))
        for page in pages {
            #expect(page.hasPrefix(#"<?xml version="1.0" encoding="UTF-8"?>"#))
            #expect(page.hasSuffix("</trkseg></trk>\n</gpx>\n"))
        }
    }

    @Test func `A path with long coordinates is split into pages that fit`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice \(Self.journey)")
        world.sleep(.seconds(1000))
        let fixes = (1...800).map { number in
            #"{"latitude":-81.1234567,"longitude":-171.1234567,"timestamp":"#
                + "\(world.now.milliseconds - Int64(number))}"
        }
        try world.send(world.fixMessage("alice", "[\(fixes.joined(separator: ","))]"))
        for format in ["gpx", "geojson"] {
            #expect(try pages(world, "bob", format: format).count == 2)
        }
    }

    @Test func `Only its owner can read the path of an ended journey`() throws {
        let world = try world(Self.journey)
        #expect(try world.outcome("alice", "journey.stop") == "ok")
        let mine = try pages(world, "alice", format: "geojson")
        #expect(mine.flatMap { $0["geometry"]?["coordinates"]?.elements ?? [] }.count == 1000)
        #expect(try pages(world, "bob", format: "geojson").map { $0["geometry"] } == [.null])
        #expect(
            try pages(world, "bob", format: "gpx").allSatisfy {
                !($0.text ?? "").contains("<trkpt")
            })
    }

    @Test func `After an SOS the path stays readable for the group`() throws {
        let world = try world("triggers SOS")
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        try world.restart()
        let theirs = try pages(world, "bob", format: "geojson")
        #expect(theirs.flatMap { $0["geometry"]?["coordinates"]?.elements ?? [] }.count == 1000)
        #expect(theirs.allSatisfy { $0["properties"]?["mode"]?.text == "sos" })
        #expect(world.segments(of: "alice").count == 16)
    }

    @Test func `New members can read a running SOS path, former members cannot`() throws {
        let world = try world("triggers SOS")
        try world.addUsers("carol")
        try world.letAdd("alice", "carol")
        let add = #"{"group":"$family","user":"carol"}"#
        #expect(try world.outcome("alice", "group.add", add) == "ok")
        #expect(try pages(world, "carol", format: "geojson").count == 3)
        #expect(try world.outcome("bob", "group.leave", #"{"group":"$family"}"#) == "ok")
        let request = #"{"group":"$family","user":"alice"}"#
        #expect(try world.outcome("bob", "path.get", request) == "not-a-member")
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        #expect(try world.outcome("alice", "group.leave", #"{"group":"$family"}"#) == "ok")
        #expect(try world.outcome("carol", "path.get", request) == "not-a-member")
    }

    @Test(arguments: ["399", "1000", "1.2", "1.2.3.4", "1.2.x", "01.2.3"])
    func `A cursor not issued by this service is rejected`(_ cursor: String) throws {
        let world = try world(Self.journey)
        let payload = #"{"group":"$family","user":"alice","cursor":"\#(cursor)"}"#
        #expect(
            try world.ask("bob", "path.get", payload)["problem"]?.problemWords
                == "invalid: cursor was not issued by this service")
    }

    @Test func `A cursor stays valid while its path grows, and is rejected once it has ended`()
        throws
    {
        let world = try world(Self.journey)
        let first = try world.ask("bob", "path.get", #"{"group":"$family","user":"alice"}"#)
        let cursor = try #require(first["result"]?["next"]?.text)
        // One point of the first page, one of the last.
        try world.fix("alice", TestFix(5, ago: 990.5))
        world.sleep(.seconds(1))
        try world.fix("alice", TestFix(1001))
        let payload = #"{"group":"$family","user":"alice","cursor":"\#(cursor)"}"#
        let second = try world.ask("bob", "path.get", payload)["result"]
        #expect(second?["path"]?["properties"]?["times"]?.elements.count == 400)
        try world.ask("alice", "sos.trigger")
        try world.ask("alice", "journey.stop")
        try world.ask("alice", "sos.stop")
        #expect(try world.outcome("bob", "path.get", payload) == "ok")
        try world.ask("alice", "sos.trigger")
        #expect(
            try world.ask("bob", "path.get", payload)["problem"]?.problemWords
                == "invalid: cursor belongs to a path that has ended; start again without it")
    }
}
