import Contract
import JSON
import Testing
import Tracking

@testable import Bridge

/// Users delete a range of their own positions.
struct PositionDeletionTests {
    private func exported(_ world: World, _ who: Sender) throws -> [String] {
        var (found, cursor) = ([String](), JSONValue.null)
        repeat {
            let field = cursor.text.map { #""cursor":"\#($0)""# } ?? ""
            let page = try world.ask(who, "account.export", "{\(field)}")["result"]
            for item in page?["items"]?.elements ?? [] where item["type"]?.text == "fix" {
                guard case .number(let latitude)? = item["fix"]?["latitude"] ?? item["latitude"]
                else { continue }
                found.append(
                    "\(item["device"]?.text ?? "?") \(Meridian.meters(latitude: latitude))")
            }
            cursor = page?["next"] ?? .null
        } while cursor != .null
        return found.sorted()
    }

    /// - Returns: how many were deleted, and in how many requests.
    private func delete(_ world: World, from: Timestamp, to: Timestamp) throws -> (Int, Int) {
        var (deleted, requests, cursor) = (0, 0, "")
        repeat {
            let result = try world.ask(
                "alice", "data.delete",
                #"{"from":\#(from.milliseconds),"to":\#(to.milliseconds),"what":"positions"\#(cursor)}"#
            )["result"]
            deleted += Int(result?["deleted"]?.integer ?? -1)
            cursor = result?["next"]?.text.map { #","cursor":"\#($0)""# } ?? ""
            requests += 1
        } while !cursor.isEmpty && requests < 100
        return (deleted, requests)
    }

    @Test func `Deletion removes exactly the positions of its range, on every device`() throws {
        let world = try World.withFamily()
        let start = world.now
        // 1,400 fixes of two devices, a second apart, and Bob's.
        for part in 0..<14 {
            world.sleep(.seconds(100))
            let fixes = (0..<100).map { TestFix(part * 100 + $0, ago: Double(99 - $0)) }
            for who in ["alice", "alice/watch", "bob"] as [Sender] {
                let list = fixes.map { $0.json(at: world.now) }.joined(separator: ",")
                try world.send(world.fixMessage(who, "[\(list)]"))
            }
        }
        let (from, to) = (start + .seconds(101), start + .seconds(1_301))
        let (deleted, requests) = try delete(world, from: from, to: to)
        #expect(deleted == 2 * 1_200 && requests > 2)
        var expected: [String] = []
        for meters in Array(0..<100) + Array(1_300..<1_400) {
            expected += ["phone \(meters)", "watch \(meters)"]
        }
        #expect(try exported(world, "alice") == expected.sorted())
        #expect(try exported(world, "bob").count == 1_400)
        #expect(try delete(world, from: from, to: to).0 == 0)
        // A redelivered fix is a known one: it is not stored again.
        world.sleep(.seconds(1))
        let again = world.now.milliseconds - (start + .seconds(600)).milliseconds
        try world.fix("alice", TestFix(599, ago: Double(again) / 1000))
        #expect(try exported(world, "alice").count == expected.count)
        try world.restart()
        #expect(try exported(world, "alice").count == expected.count)
    }

    @Test(arguments: [
        (#""what":"all""#, "what must be positions or vitals"),
        (#""what":"vitals","cursor":"x""#, "cursor was not issued by this service"),
        (#""what":"positions","cursor":"0.1""#, "cursor was not issued by this service"),
    ])
    func `Invalid deletion requests are rejected`(fields: String, reason: String) throws {
        let world = try World.withFamily()
        #expect(
            try world.outcome("alice", "data.delete", #"{"from":1,"to":2,\#(fields)}"#)
                == "invalid: \(reason)")
    }
}
