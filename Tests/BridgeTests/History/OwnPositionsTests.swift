import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Users read their own positions of a period.
struct OwnPositionsTests {
    /// - Returns: the device and the metres of each, and how many pages there were.
    private func positions(
        _ world: World, _ who: Sender = "alice", from: Timestamp, to: Timestamp,
        _ fields: String = ""
    ) throws -> (found: [String], pages: Int) {
        var (found, pages, cursor) = ([String](), 0, "")
        repeat {
            let page = try world.ask(
                who, "position.list",
                #"{"from":\#(from.milliseconds),"to":\#(to.milliseconds)\#(fields)\#(cursor)}"#
            )["result"]
            let device = page?["device"]?.text ?? "?"
            for fix in page?["positions"]?.elements ?? [] {
                found.append("\(device) \(Meridian.meters(latitude: fix["latitude"]?.number ?? 0))")
            }
            cursor = page?["next"]?.text.map { #","cursor":"\#($0)""# } ?? ""
            pages += 1
        } while !cursor.isEmpty && pages < 100
        return (found, pages)
    }

    /// A fix each second from two devices of Alice's and from Bob's.
    private func walk(_ world: World, hundreds: Int) throws {
        for part in 0..<hundreds {
            world.sleep(.seconds(100))
            let fixes = (0..<100).map {
                TestFix(part * 100 + $0, ago: Double(99 - $0)).json(at: world.now)
            }
            for who in ["alice", "alice/watch", "bob"] as [Sender] {
                try world.send(world.fixMessage(who, "[\(fixes.joined(separator: ","))]"))
            }
        }
    }

    @Test func `A listing has exactly the positions of its range, per device, newest first`() throws
    {
        let world = try World.withFamily()
        let start = world.now
        try walk(world, hundreds: 14)
        for _ in 1...2 {
            let (found, pages) = try positions(
                world, from: start + .seconds(101), to: start + .seconds(1_301))
            let expected = ["phone", "watch"].flatMap { device in
                (100..<1_300).reversed().map { "\(device) \($0)" }
            }
            #expect(found == expected)
            #expect(pages > 4)
            try world.restart()
        }
        let all = try positions(world, from: start, to: world.now + .seconds(1))
        #expect(all.found.count == 2_800)
        #expect(try positions(world, from: start - .seconds(9), to: start).found == [])
        try world.addUsers("carol")
        #expect(try positions(world, "carol", from: start, to: world.now).found == [])
    }

    @Test func `A minimum interval thins the listed positions`() throws {
        let world = try World.withFamily()
        let start = world.now
        try walk(world, hundreds: 3)
        let (found, pages) = try positions(
            world, from: start, to: world.now + .seconds(1), #","every":60"#)
        #expect(
            found.filter { $0.hasPrefix("phone") } == [
                "phone 299", "phone 239", "phone 179", "phone 119", "phone 59",
            ])
        #expect(pages == 2)
    }

    @Test func `Deleted positions are not listed`() throws {
        let world = try World.withFamily()
        let start = world.now
        try walk(world, hundreds: 2)
        let stretch =
            #"{"from":\#(start.milliseconds),"to":\#((start + .seconds(101)).milliseconds),"what":"positions"}"#
        #expect(try world.outcome("alice", "data.delete", stretch) == "ok")
        let left = try positions(world, from: start, to: world.now + .seconds(1)).found
        #expect(left.count == 200 && !left.contains("phone 50") && left.contains("watch 150"))
    }

    @Test(arguments: [
        (#"{"from":1}"#, "invalid: to is missing"),
        ("{}", "invalid: from is missing; to is missing"),
        (#"{"from":2,"to":2}"#, "invalid: to must be later than from"),
        (#"{"from":1,"to":2,"every":-1}"#, "invalid: every must be a whole number from 0 to 86400"),
        (#"{"from":1,"to":2,"cursor":"1"}"#, "invalid: cursor was not issued by this service"),
    ])
    func `Invalid position queries are rejected`(request: String, outcome: String) throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", "position.list", request) == outcome)
    }
}
