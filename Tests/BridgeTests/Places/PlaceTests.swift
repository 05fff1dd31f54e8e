import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Places of the organisation are imported by the operator, and found by logged-in users.
struct PlaceTests {
    @Test func `Imported places are retained and survive a restart and a wiped broker`() throws {
        let world = try World.withFamily()
        let report = try world.importPlaces(.bakery(), .bakery("library", metres: 500))
        #expect(report == ["created": 2, "changed": 0, "unchanged": 0])
        #expect(try world.importPlaces(.bakery()) == ["created": 0, "changed": 0, "unchanged": 1])
        #expect(
            try world.importPlaces(.bakery(hours: "24/7"))
                == ["created": 0, "changed": 1, "unchanged": 0])
        let before = world.retained
        #expect(before["kith/places/library"] != nil)
        #expect(
            before["kith/places/bakery"].map { JSONValue.read($0) }?["openingHours"]?.text
                == "24/7")
        world.retained["kith/places/bakery"] = nil
        world.retained["kith/places/library"] = Array("{}".utf8)
        world.retained["kith/places/nowhere"] = Array("{}".utf8)
        try world.restart()
        #expect(world.retained == before)
        let removed = try world.operate(.removePlaces(["bakery", "unknown"]))
        #expect(removed[0]["result"]?["removed"]?.integer == 1)
        #expect(world.retained["kith/places/bakery"] == nil)
        #expect(
            try world.outcome("alice", "place.get", #"{"place":"bakery"}"#) == "unknown-place")
    }

    @Test func `Places are found by text, kind and distance, and by whether they are open`() throws
    {
        let world = try World.withFamily()
        try world.importPlaces(
            .bakery("near", metres: 100, hours: "Mo-Fr 08:00-18:00"),
            .bakery("far", metres: 5_000, hours: "Mo-Fr 20:00-22:00"),
            .bakery("library", metres: 300, kind: "library", hours: "ask Anna"))
        func found(_ query: String) throws -> [String?] {
            try world.ask("alice", "place.list", query)["result"]?["places"]?.elements
                .map { $0["place"]?.text } ?? []
        }
        #expect(try found("{}") == ["far", "library", "near"], "by name")
        let here = #""near":{"latitude":46,"longitude":14.5}"#
        #expect(try found("{\(here)}") == ["near", "library", "far"])
        #expect(try found(#"{\#(here),"radius":1000}"#) == ["near", "library"])
        #expect(try found(#"{"kind":"library"}"#) == ["library"])
        #expect(try found(#"{"text":"NEA"}"#) == ["near"])
        #expect(try found(#"{"open":true}"#) == ["near"], "a Friday morning")
        let places = try world.ask("alice", "place.list", "{\(here)}")["result"]?["places"]?
            .elements
        #expect(places?.map { $0["state"]?.text } == ["open", "unknown", "closed"])
        #expect(places?.map { $0["distance"]?.integer } == [100, 300, 5_002])
        // 18:00 in Ljubljana.
        #expect(places?[0]["nextChange"]?.text == "2026-05-01T16:00:00.000Z")
        #expect(places?[1]["openingHours"]?.text == "ask Anna")
        let wrong = try world.ask(
            "alice", "place.list",
            #"{"near":{"latitude":91},"radius":0,"open":1,"text":"","kind":"\n"}"#)
        #expect(
            wrong.wrongFields == [
                "text", "kind", "near.latitude", "near.longitude", "radius", "open",
            ])
        #expect(try world.ask("alice", "place.list", #"{"radius":5}"#).wrongFields == ["near"])
    }

    @Test func `A long place list is paged, each place once`() throws {
        let world = try World.withFamily()
        let all = (0..<700).map { PlaceTests.numbered($0) }
        for part in stride(from: 0, to: 700, by: 100) {
            try world.operate(.importPlaces(Array(all[part..<part + 100])))
        }
        for query in ["", #""near":{"latitude":46,"longitude":14.5},"#] {
            var (found, after, pages) = ([String](), "null", 0)
            repeat {
                let page = try world.ask("alice", "place.list", "{\(query)\"after\":\(after)}")
                found += page["result"]?["places"]?.elements.compactMap { $0["place"]?.text } ?? []
                after = page["result"]?["next"]?.text.map { #""\#($0)""# } ?? "null"
                pages += 1
            } while after != "null" && pages < 20
            #expect(Set(found).count == 700 && found.count == 700)
            #expect(pages > 1)
        }
    }

    private static func numbered(_ number: Int) -> Place {
        .bakery(Name("p\(1_000 + number)") ?? "none", metres: number)
    }

    @Test func `An invalid place is rejected`() throws {
        let world = try World.withFamily()
        let reply = try world.operate(.importPlaces([.bakery(zone: "Nowhere/At_all")]))
        #expect(reply[0].outcome.hasPrefix("invalid: timeZone"))
        #expect(world.retained["kith/places/bakery"] == nil)
    }
}

extension World {
    @discardableResult
    func importPlaces(_ places: Place...) throws -> [String: Int64] {
        let result = try operate(.importPlaces(places))[0]["result"]
        return ["created", "changed", "unchanged"].reduce(into: [:]) {
            $0[$1] = result?[$1]?.integer
        }
    }
}

extension Place {
    /// A bakery this many metres along the tests' road.
    static func bakery(
        _ id: Name = "bakery", metres: Int = 0, kind: String = "bakery",
        hours: String? = "Mo-Fr 08:00-18:00", zone: String = "Europe/Ljubljana"
    ) -> Place {
        guard
            let coordinate = Coordinate(
                latitudeE7: Int64(460_000_000 + metres * 90), longitudeE7: 145_000_000)
        else { preconditionFailure("it is on the earth") }
        return Place(
            id: id, source: "tests", name: id.text, kind: kind, coordinate: coordinate,
            description: nil, address: nil, openingHours: hours, phone: nil, website: nil,
            timeZone: zone)
    }
}
