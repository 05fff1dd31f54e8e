import Contract
import JSON
import Testing
import Tracking

@testable import Bridge

/// Which stored samples a service reads, in which order, and how the log records it.
struct ReadingTests {
    private func world() throws -> World {
        let world = try World.withFamily()
        try world.makeService()
        #expect(try world.outcome("alice", "service.add", #"{"service":"myheart"}"#) == "ok")
        #expect(try world.outcome("alice", "vitals.consent") == "ok")
        return world
    }

    private func read(_ world: World, _ last: Int, _ cursor: String? = nil) throws -> JSONValue {
        let from = cursor.map { #","cursor":"\#($0)""# } ?? ""
        return try world.askAsService("data.get", #"{"user":"alice","last":\#(last)\#(from)}"#)[
            "result"] ?? .null
    }

    private func rates(_ page: JSONValue) -> [Int64?] {
        page["samples"]?.elements.map { $0["heartRate"]?.integer } ?? []
    }

    private func metres(_ page: JSONValue) -> [Int?] {
        page["samples"]?.elements.map(\.fixMeters) ?? []
    }

    // MARK: Order

    @Test func `Samples that a phone delivers late are read first`()
        throws
    {
        let world = try world()
        for rate in 60...64 {
            world.sleep(.seconds(60))
            try world.vitals("alice", rate: rate)
        }
        #expect(rates(try read(world, 2)) == [64, 63])
        for (rate, age) in [(50, 30_000), (51, 29_000), (52, 28_000)] {
            try world.vitals("alice", rate: rate, ago: .seconds(Int64(age)))
        }
        let page = try read(world, 4)
        #expect(rates(page) == [52, 51, 50, 64])
        #expect(rates(try read(world, 4, page["next"]?.text)) == [63, 62, 61, 60])
    }

    @Test func `Fixes and vital signs are read in one order, that of arrival`() throws {
        let world = try world()
        try world.vitals("alice", rate: 70)
        world.sleep(.seconds(1))
        try world.fix("alice", TestFix(1, ago: 5_000))
        world.sleep(.seconds(1))
        try world.vitals("alice", rate: 71, ago: .seconds(9_000))
        let page = try read(world, 10)
        #expect(rates(page) == [71, nil, 70] && metres(page) == [nil, 1, nil])
        #expect(page["next"] == .null)
    }

    // MARK: Number

    @Test func `Pages have the requested length, whatever a pause or a deletion hides between`()
        throws
    {
        let world = try world()
        func walk(_ metres: ClosedRange<Int>) throws {
            for number in metres {
                world.sleep(.seconds(1))
                try world.fix("alice", TestFix(number, seq: Int64(number)))
            }
        }
        try walk(1...20)
        let until = (world.now + .seconds(100)).milliseconds
        #expect(try world.outcome("alice", "sharing.pause", #"{"until":\#(until)}"#) == "ok")
        try walk(21...60)
        try world.pass(.seconds(100))
        try walk(61...70)
        let from = (world.now - .milliseconds(4_500)).milliseconds
        let to = (world.now - .milliseconds(1_500)).milliseconds
        #expect(
            try world.outcome(
                "alice", "data.delete", #"{"what":"positions","from":\#(from),"to":\#(to)}"#)
                == "ok")
        try world.sweep()
        let left = Array((1...20)) + [61, 62, 63, 64, 65, 69, 70]
        for count in [1, 7, 8, 15, 27] {
            let page = try read(world, count)
            #expect(metres(page) == left.suffix(count).reversed(), "\(count)")
            #expect((page["next"] == .null) == (count == 27), "\(count)")
            // The device's own numbers would reveal how many are missing.
            #expect(page["samples"]?.elements.allSatisfy { $0["seq"] == nil } == true)
        }
        // Pages do not reveal it either: each has the requested length, and none is empty.
        var (found, cursor, sizes) = ([Int?](), String?.none, [Int]())
        repeat {
            let page = try read(world, 5, cursor)
            found += metres(page)
            sizes.append(metres(page).count)
            cursor = page["next"]?.text
        } while cursor != nil && sizes.count < 20
        #expect(found == left.reversed() && sizes == [5, 5, 5, 5, 5, 2])
    }

    @Test func `A reply does not reveal that all samples are hidden`() throws {
        let world = try world()
        let until = (world.now + .seconds(1_000)).milliseconds
        #expect(try world.outcome("alice", "sharing.pause", #"{"until":\#(until)}"#) == "ok")
        for number in 1...50 {
            world.sleep(.seconds(1))
            try world.fix("alice", TestFix(number))
        }
        let page = try read(world, 3)
        #expect(page["samples"]?.elements.isEmpty == true && page["next"] == .null)
    }

    // MARK: The log

    private func entries(_ world: World, _ what: String) throws -> [JSONValue] {
        let entries = try world.ask("alice", "access.log")["result"]?["entries"]?.elements ?? []
        return entries.filter { $0["what"]?.text == what }
    }

    @Test func `Reading many pages is one log entry with the kinds of data and the period`() throws
    {
        let world = try world()
        let start = world.now
        for number in 1...12 {
            world.sleep(.seconds(1))
            try world.fix("alice", TestFix(number))
        }
        let end = world.now
        var cursor: String?
        repeat {
            world.sleep(.seconds(60))
            cursor = try read(world, 5, cursor)["next"]?.text
        } while cursor != nil
        let read = try entries(world, "read")
        #expect(read.count == 1 && read.first?["count"]?.integer == 12)
        #expect(read.first?["data"]?.elements.compactMap(\.text) == ["positions"])
        #expect(read.first?["from"]?.text == (start + .seconds(1)).rfc3339)
        #expect(read.first?["to"]?.text == end.rfc3339)
        let item = try world.exported("alice").first {
            $0["type"]?.text == "access" && $0["what"]?.text == "read"
        }
        #expect(item?["to"]?.text == end.rfc3339)
        // With vital signs in it, the entry names them; an empty page adds no time.
        try world.vitals("alice", rate: 60, ago: .seconds(500))
        _ = try self.read(world, 2)
        let both = try entries(world, "read").first
        #expect(both?["data"]?.elements.compactMap(\.text) == ["positions", "vitals"])
        #expect(both?["from"]?.text == (world.now - .seconds(500)).rfc3339)
    }

    @Test func `Reading with an old cursor makes a new log entry`() throws {
        let world = try world()
        for number in 1...12 { try world.fix("alice", TestFix(number, ago: Double(20 - number))) }
        let cursor = try read(world, 5)["next"]?.text
        world.sleep(.seconds(3_601))
        _ = try read(world, 5, cursor)
        #expect(try entries(world, "read").map { $0["count"]?.integer } == [5, 5])
    }
}
