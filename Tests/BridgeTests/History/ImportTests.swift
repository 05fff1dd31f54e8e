import Contract
import JSON
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Positions that users import into their own history.
struct ImportTests {
    private static let start: Int64 = 1_600_000_000_000

    /// One position a minute.
    private func positions(_ minutes: Range<Int>) -> String {
        minutes.map { minute in
            let time = ImportTests.start + Int64(minute) * 60_000
            return #"{"latitude":46.\#(10_000 + minute),"longitude":14.5,"timestamp":\#(time)}"#
        }.joined(separator: ",")
    }

    /// - Returns: how many were new.
    private func add(
        _ world: World, _ minutes: Range<Int>, from source: String = "Watch",
        _ who: Sender = "alice"
    ) throws -> Int64? {
        let answer = try world.ask(
            who, "import.add",
            #"{"source":"\#(source)","positions":[\#(positions(minutes))]}"#)["result"]
        #expect(
            answer?["known"]?.integer
                == answer?["imported"]?.integer.map {
                    Int64(minutes.count) - $0
                })
        return answer?["imported"]?.integer
    }

    /// The minutes in a user's history.
    private func minutes(_ world: World, _ who: Sender = "alice", _ fields: String = "") throws
        -> [Int64]
    {
        var (found, cursor, pages) = ([Int64](), "", 0)
        repeat {
            let page = try world.ask(
                who, "position.list",
                #"{"from":0,"to":\#(ImportTests.start * 2)\#(fields)\#(cursor)}"#)["result"]
            for position in page?["positions"]?.elements ?? []
            where page?["device"] == .null {
                let time = position["timestamp"]?.text.flatMap { Timestamp(rfc3339: $0) }
                found.append(((time?.milliseconds ?? 0) - ImportTests.start) / 60_000)
            }
            cursor = page?["next"]?.text.map { #","cursor":"\#($0)""# } ?? ""
            pages += 1
        } while !cursor.isEmpty && pages < 100
        return found
    }

    private func sources(_ world: World, _ who: Sender = "alice") throws -> [String] {
        let imports = try world.ask(who, "import.list")["result"]?["imports"]?.elements
        return imports?.map { one in
            "\(one["source"]?.text ?? "?") \(one["positions"]?.integer ?? -1) "
                + "\(one["from"]?.text ?? "?") \(one["to"]?.text ?? "?")"
        } ?? []
    }

    @Test func `Imported positions appear once, and only in their owner's history`() throws {
        let world = try World.withFamily()
        #expect(try add(world, 0..<400) == 400)
        #expect(try add(world, 0..<400) == 0)
        #expect(try add(world, 300..<500, from: "Old phone") == 100)
        #expect(try add(world, 0..<10, from: "Nothing new") == 0)
        world.sleep(.seconds(60))
        #expect(try add(world, 500..<510) == 10)
        for _ in 1...2 {
            #expect(try minutes(world) == (0..<510).reversed().map { Int64($0) })
            #expect(
                try sources(world) == [
                    "Watch 410 2020-09-13T12:26:40.000Z 2020-09-13T20:55:40.000Z",
                    "Old phone 100 2020-09-13T19:06:40.000Z 2020-09-13T20:45:40.000Z",
                ])
            try world.restart()
        }
        #expect(try minutes(world, "alice", #","every":3600"#).count == 9)
        #expect(try minutes(world, "bob").isEmpty && sources(world, "bob").isEmpty)
    }

    @Test func `Imported positions are listed beside device positions and deleted with them`()
        throws
    {
        let world = try World.withFamily()
        try world.fix("alice", TestFix(1))
        #expect(try add(world, 0..<500) == 500)
        #expect(try add(world, 500..<1_000) == 500)
        let from = ImportTests.start + 100 * 60_000
        let to = ImportTests.start + 900 * 60_000
        var (deleted, cursor, requests) = (Int64(0), "", 0)
        repeat {
            let answer = try world.ask(
                "alice", "data.delete",
                #"{"from":\#(from),"to":\#(to),"what":"positions"\#(cursor)}"#)["result"]
            deleted += answer?["deleted"]?.integer ?? -1
            cursor = answer?["next"]?.text.map { #","cursor":"\#($0)""# } ?? ""
            requests += 1
        } while !cursor.isEmpty && requests < 20
        #expect(deleted == 800 && requests == 3)
        let left = Array(900..<1_000) + Array(0..<100)
        #expect(try minutes(world).sorted() == left.map { Int64($0) }.sorted())
        #expect(try sources(world).first?.hasPrefix("Watch 200 ") == true)
        let device = try world.ask(
            "alice", "position.list",
            #"{"from":\#(world.now.milliseconds - 60000),"to":\#(world.now.milliseconds + 1)}"#
        )["result"]
        #expect(device?["device"]?.text == "phone" && device?["positions"]?.elements.count == 1)
    }

    @Test func `A deleted source is removed entirely, in steps, and can be imported again`() throws
    {
        let world = try World.withFamily()
        for part in 0..<6 {
            #expect(try add(world, part * 500..<part * 500 + 500) == 500)
        }
        #expect(try add(world, 3_000..<3_010, from: "Old phone") == 10)
        let answer = try world.ask("alice", "import.delete", #"{"source":"Watch"}"#)
        #expect(answer["result"]?["deleted"]?.integer == 3_000)
        // Gone from every reply immediately, even if the bridge ends.
        #expect(try minutes(world).count == 10)
        #expect(try sources(world).count == 1)
        #expect(try add(world, 0..<10) == 10)
        try world.restart()
        #expect(try minutes(world).count == 20)
        try world.pass(.seconds(1))
        #expect(try world.count("imported_positions") == 20)
        #expect(try world.count("imports") == 2)
        #expect(
            try world.ask("alice", "import.delete", #"{"source":"Nothing"}"#)["result"]?["deleted"]?
                .integer == 0)
    }

    @Test func `An import publishes only its reply and stores no fix`() throws {
        let world = try World.withFamily()
        try world.addUsers("carol")
        #expect(try world.outcome("alice", "sharing.start", #"{"groups":"all"}"#) == "ok")
        let now = world.now.milliseconds
        _ = world.published()
        let request =
            #"{"source":"Watch","positions":[{"latitude":47,"longitude":14.5,"timestamp":\#(now)}]}"#
        #expect(try world.outcome("alice", "import.add", request) == "ok")
        let told = world.published().map(\.topic)
        #expect(told == ["kith/users/alice/devices/phone/replies"])
        #expect(try world.count("fixes") == 0)
    }

    @Test func `Retention deletes old imports if the operator has configured it`() throws {
        var settings = BridgeSettings()
        settings.retention.imports = .seconds(7 * 86_400)
        let world = try World.withFamily(settings)
        #expect(try add(world, 0..<10) == 10)
        world.sleep(.seconds(6 * 86_400))
        #expect(try add(world, 10..<20, from: "Old phone") == 10)
        world.sleep(.seconds(2 * 86_400))
        try world.sweep()
        #expect(try minutes(world) == (10..<20).reversed().map { Int64($0) })
    }

    @Test(arguments: [
        ("{}", "invalid: source is missing; positions is missing"),
        (
            #"{"source":" ","positions":[]}"#,
            "invalid: source must not be empty; positions must be an array of 1 to 500 Fixes"
        ),
        (
            #"{"source":"a","positions":[{"latitude":1,"longitude":2,"timestamp":3},{"latitude":91}]}"#,
            "invalid: positions[1].latitude must be from -90 to 90; positions[1].longitude is missing; positions[1].timestamp is missing"
        ),
        (
            #"{"source":"a","positions":[{"latitude":1,"longitude":2,"timestamp":-1}]}"#,
            "invalid: positions[0].timestamp must not be before 1970"
        ),
    ])
    func `An invalid import is rejected as a whole`(request: String, outcome: String) throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", "import.add", request) == outcome)
        #expect(try sources(world).isEmpty)
    }

    @Test func `A user has at most a hundred import sources`() throws {
        let world = try World.withFamily()
        for source in 0..<100 {
            #expect(try add(world, source..<source + 1, from: "\(source)") == 1)
        }
        let more = #"{"source":"100","positions":[\#(positions(100..<101))]}"#
        #expect(try world.outcome("alice", "import.add", more).hasPrefix("too-many"))
        #expect(try add(world, 100..<101, from: "7") == 1)
    }
}
