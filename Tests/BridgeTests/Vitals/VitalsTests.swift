import Contract
import JSON
import Limits
import MQTT
import Sealing
import Store
import Testing
import Tracking

@testable import Bridge

/// Vital signs of users who have agreed are stored once, encrypted, and no one else sees them.
struct VitalsTests {
    private func world(agreeing: Bool = true) throws -> World {
        let world = try World.withFamily()
        if agreeing { #expect(try world.outcome("alice", "vitals.consent") == "ok") }
        _ = world.published()
        return world
    }

    /// `heartRate` of each sample that is listed, the newest first.
    private func rates(_ world: World, _ sender: Sender = "alice", _ fields: String = "{}") throws
        -> [Int64]
    {
        let page = try world.ask(sender, "vitals.list", fields)["result"]
        return (page?["vitals"]?.elements ?? []).compactMap { $0["heartRate"]?.integer }
    }

    @Test func `A sample is stored, receipted and listed, and published to no one else`() throws {
        let world = try world()
        try world.vitals("alice/watch", rate: 72, seq: 1)
        #expect(world.published().map(\.topic) == ["kith/users/alice/devices/watch/stored"])
        let page = try world.ask("alice", "vitals.list")["result"]
        #expect(page?["vitals"]?.elements.first?["device"] == .string("watch"))
        #expect(try rates(world) == [72])
        #expect(try rates(world, "bob") == [])
    }

    @Test func `Samples without consent are not stored, and the sender is notified`() throws {
        let world = try world(agreeing: false)
        try world.vitals("alice", rate: 72, seq: 1)
        let published = world.published()
        #expect(
            published.map(\.topic) == [
                "kith/users/alice/devices/phone/rejected", "kith/users/alice/devices/phone/stored",
            ])
        let rejection = JSONValue.read(published[0].payload)
        #expect(rejection["problem"]?["type"] == .string("urn:kith:problem:no-consent"))
        #expect(rejection["seq"]?.elements.count == 1)
        #expect(try world.count("vitals") == 0)
    }

    @Test func `Each value of a moment is stored once, the first one received`() throws {
        let world = try world()
        let time = world.now.milliseconds
        for fields in [
            #""heartRate":72"#, #""heartRate":73"#, #""bodyTemperature":37"#,
            #""heartRate":74,"bodyTemperature":38,"oxygenSaturation":97"#,
        ] {
            try world.send(world.vitalsMessage("alice", #"{"timestamp":\#(time),\#(fields)}"#))
        }
        let listed = try world.ask("alice", "vitals.list")["result"]?["vitals"]?.elements ?? []
        #expect(listed.compactMap { $0["heartRate"]?.integer } == [72])
        #expect(listed.compactMap { $0["bodyTemperature"]?.integer } == [37])
        #expect(listed.compactMap { $0["oxygenSaturation"]?.integer } == [97])
        // Another device can report other values for the same moment.
        try world.send(
            world.vitalsMessage("alice/watch", #"{"timestamp":\#(time),"heartRate":75}"#))
        #expect(try Set(rates(world)) == [72, 75])
    }

    @Test func `Fixes and samples of a device share its sequence numbers across restarts`() throws {
        let world = try world()
        try world.fix("alice", TestFix(1, seq: 1))
        try world.vitals("alice", rate: 72, seq: 2)
        try world.fix("alice", TestFix(2, seq: 4))
        _ = world.published()
        try world.restart()
        _ = world.published()
        try world.vitals("alice", rate: 73, ago: .seconds(1), seq: 3)
        let receipt = try #require(world.published().last { $0.topic.hasSuffix("/stored") })
        #expect(JSONValue.read(receipt.payload)["seq"]?.integer == 4)
    }

    @Test func `An array's valid samples are stored and its invalid ones named`() throws {
        let world = try world()
        let time = world.now.milliseconds
        try world.send(
            world.vitalsMessage(
                "alice",
                """
                [{"timestamp":\(time),"heartRate":72,"seq":1},\
                {"timestamp":\(time - 1),"seq":2},\
                {"timestamp":\(time - 2),"heartRate":73,"seq":3}]
                """))
        let published = world.published()
        let rejected = try #require(published.first { $0.topic.hasSuffix("/rejected") })
        #expect(JSONValue.read(rejected.payload)["seq"]?.elements.map(\.integer) == [2])
        let stored = try #require(published.first { $0.topic.hasSuffix("/stored") })
        #expect(JSONValue.read(stored.payload)["seq"]?.integer == 3)
        #expect(try rates(world) == [72, 73])
    }

    @Test func `An unworn watch counts as alive, but its values are not stored`() throws {
        let world = try world()
        for (index, rate) in [255, 0, -1, 65_535].enumerated() {
            try world.vitals("alice/watch", rate: rate, seq: Int64(index + 1))
            world.sleep(.seconds(1))
        }
        let topics = world.published().map(\.topic)
        #expect(Set(topics) == ["kith/users/alice/devices/watch/stored"])
        #expect(try world.count("vitals") == 0)
        #expect(try rates(world) == [])
        // Later samples count, and the numbers before them are receipted, even after a restart.
        try world.restart()
        _ = world.published()
        try world.vitals("alice/watch", rate: 72, seq: 5)
        let receipt = try #require(world.published().last { $0.topic.hasSuffix("/stored") })
        #expect(JSONValue.read(receipt.payload)["seq"]?.integer == 5)
        #expect(try rates(world) == [72])
    }

    @Test func `A sample with an impossible value keeps the others and names it`() throws {
        let world = try world()
        let values = #""heartRate":255,"bodyTemperature":360,"oxygenSaturation":97,"seq":1"#
        try world.send(
            world.vitalsMessage("alice", #"{"timestamp":\#(world.now.milliseconds),\#(values)}"#))
        let told = try #require(world.published().first { $0.topic.hasSuffix("/rejected") })
        #expect(JSONValue.read(told.payload)["taken"] == .bool(true) && told.qos == .atMostOnce)
        #expect(
            JSONValue.read(told.payload)["problem"]?.problemWords
                == "invalid: bodyTemperature must be from 10 to 50")
        let listed = try world.ask("alice", "vitals.list")["result"]?["vitals"]?.elements ?? []
        #expect(listed.first?["oxygenSaturation"]?.integer == 97)
        #expect(listed.first?["heartRate"] == nil && listed.first?["bodyTemperature"] == nil)
    }

    @Test func `Stored samples are unreadable without the key`() throws {
        let world = try world()
        try world.vitals("alice", rate: 171)
        let found = try world.store.transaction { try $0.anyVitals() }
        let row = try #require(found)
        #expect(!row.sealed.bytes.contains(Array("171".utf8)))
        let keys = try #require(World.keys)
        #expect(row.opened(with: keys)?[.heartRate] == 171)
        let others = try #require(SealingKeys("1 B" + otherKey))
        #expect(row.opened(with: others) == nil)
    }

    private let otherKey = String(repeating: "A", count: 42)

    // MARK: Consent

    @Test func `Withdrawing consent deletes all samples and requires a new consent`() throws {
        let world = try world()
        for second in 0..<5 { try world.vitals("alice", rate: 60 + second, ago: .seconds(second)) }
        #expect(try world.outcome("alice", "vitals.withdraw") == "ok")
        #expect(try rates(world) == [])
        try world.vitals("alice", rate: 90, ago: .seconds(10))
        try world.pass(.seconds(1))
        #expect(try world.count("vitals") == 0)
        #expect(try world.count("vitals_deletions") == 0)
        #expect(try world.outcome("alice", "vitals.consent") == "ok")
        try world.vitals("alice", rate: 91)
        try world.pass(.seconds(1))
        #expect(try rates(world) == [91])
        #expect(try world.count("vitals_consents") == 2)
    }

    @Test func `Consent must be to the current privacy statement`() throws {
        var settings = BridgeSettings()
        settings.accounts.termsVersion = "2026-11"
        let world = try World.withFamily(settings)
        #expect(
            try world.outcome("alice", "vitals.consent")
                == "invalid: version is not that of the current privacy statement")
        let consent = try world.ask("alice", "vitals.consent", #"{"version":"2026-11"}"#)
        #expect(consent["result"]?["consent"]?["version"] == .string("2026-11"))
        // Agreeing again is the same consent.
        world.sleep(.seconds(60))
        let again = try world.ask("alice", "vitals.consent", #"{"version":"2026-11"}"#)
        #expect(again["result"] == consent["result"])
        let list = try world.ask("alice", "vitals.list")["result"]
        #expect(list?["consent"] == consent["result"]?["consent"])
        #expect(try world.count("vitals_consents") == 1)
        try world.restart()
        try world.vitals("alice", rate: 72)
        #expect(try rates(world) == [72])
    }

    // MARK: Deleting

    @Test func `A deleted range disappears at once and is erased in small steps`() throws {
        let world = try world()
        let start = world.now
        let samples = (0..<1_500).map { second in
            #"{"timestamp":\#((start - .seconds(Int64(second))).milliseconds),"heartRate":\#(50 + second % 100)}"#
        }
        for part in [samples[..<1_000], samples[1_000...]] {
            try world.send(
                world.vitalsMessage("alice", "[\(part.joined(separator: ","))]"))
        }
        #expect(try world.count("vitals") == 1_500)
        let from = (start - .seconds(1_399)).milliseconds
        let to = (start - .seconds(10)).milliseconds
        #expect(
            try world.outcome(
                "alice", "data.delete", #"{"from":\#(from),"to":\#(to),"what":"vitals"}"#) == "ok")
        #expect(try rates(world, "alice", #"{"limit":500}"#).count == 111)
        #expect(try world.count("vitals") >= 500, "not all in one turn")
        // Redelivered samples of that time are not stored: the device still has them.
        try world.send(world.vitalsMessage("alice", samples[20]))
        try world.pass(.seconds(1))
        #expect(try world.count("vitals") == 111)
    }

    @Test(arguments: [true, false])
    func `A phone's buffer does not restore deleted samples`(_ isWithdrawn: Bool) throws {
        let world = try world()
        let start = world.now
        func buffer(_ seconds: Range<Int>) -> String {
            let samples = seconds.map {
                #"{"timestamp":\#((start + .seconds(Int64($0))).milliseconds),"heartRate":70,"seq":\#($0 + 1)}"#
            }
            return "[\(samples.joined(separator: ","))]"
        }
        world.sleep(.seconds(100))
        try world.send(world.vitalsMessage("alice", buffer(0..<60)))
        #expect(try world.count("vitals") == 60)
        if isWithdrawn {
            #expect(try world.outcome("alice", "vitals.withdraw") == "ok")
            #expect(try world.outcome("alice", "vitals.consent") == "ok")
        } else {
            // Until some time from now: samples measured from now on are not included.
            let (from, to) = (start.milliseconds, (world.now + .seconds(3_600)).milliseconds)
            #expect(
                try world.outcome(
                    "alice", "data.delete", #"{"from":\#(from),"to":\#(to),"what":"vitals"}"#)
                    == "ok")
        }
        try world.pass(.seconds(2))
        #expect(try world.count("vitals") == 0)
        // With samples that it had not sent before; even after a restart.
        try world.send(world.vitalsMessage("alice", buffer(0..<90)))
        try world.restart()
        try world.send(world.vitalsMessage("alice", buffer(0..<95)))
        #expect(try world.count("vitals") == 0)
        #expect(try rates(world) == [])
        // Later samples are stored, and so are those of others.
        world.sleep(.seconds(10))
        try world.vitals("alice", rate: 71, seq: 200)
        #expect(try rates(world) == [71])
        try world.ask("bob", "vitals.consent")
        try world.send(world.vitalsMessage("bob", buffer(0..<3)))
        #expect(try world.count("vitals") == 4)
        // Samples too old to be accepted need no record.
        world.sleep(.seconds(400 * 86_400))
        try world.sweep()
        #expect(try world.count("deleted_vitals") == 0)
    }

    @Test func `Deleted ranges are merged and limited in number`() {
        func time(_ second: Int) -> Timestamp { .init(milliseconds: Int64(second) * 1_000) }
        var deleted = DeletedStretches()
        for (from, to) in [(10, 20), (40, 50), (20, 30), (29, 41), (5, 5)] {
            deleted.insert(time(from)..<time(to))
        }
        #expect(deleted.stretches == [time(10)..<time(50)])
        #expect(deleted.contains(time(10)) && deleted.contains(time(49)))
        #expect(!deleted.contains(time(50)) && !deleted.contains(time(9)))
        for number in 0..<200 { deleted.insert(time(100 + 2 * number)..<time(101 + 2 * number)) }
        #expect(deleted.stretches.count == DeletedStretches.maximum)
        #expect(deleted.contains(time(498)) && !deleted.contains(time(10)))
        deleted.forget(before: time(450))
        #expect(!deleted.contains(time(448)) && deleted.contains(time(450)))
    }

    @Test func `Samples are deleted after their retention period`() throws {
        var settings = BridgeSettings()
        settings.retention.vitals = .seconds(3_600)
        let world = try World.withFamily(settings)
        for sender in ["alice", "bob"] as [Sender] {
            #expect(try world.outcome(sender, "vitals.consent") == "ok")
        }
        try world.vitals("alice", rate: 72)
        world.sleep(.seconds(3_500))
        try world.vitals("alice", rate: 73)
        world.sleep(.seconds(200))
        try world.sweep()
        #expect(try rates(world) == [73])
        try world.vitals("bob", rate: 74)
        #expect(try rates(world, "bob") == [74])
    }

    // MARK: Keys

    @Test func `A new key re-encrypts all samples, and the old key can be removed`() throws {
        let world = try world()
        try world.vitals("alice", rate: 72)
        let (old, new) = ("1 " + String(repeating: "A", count: 43), "2 B" + otherKey)
        try world.restart(keys: SealingKeys("\(old)\n\(new)"))
        try world.vitals("alice", rate: 73, ago: .seconds(1))
        #expect(try Set(rates(world)) == [72, 73])
        try world.sweep()
        try world.restart(keys: SealingKeys(new))
        #expect(try Set(rates(world)) == [72, 73])
    }

    @Test func `A sample whose key is missing is not listed but kept`() throws {
        let world = try world()
        try world.vitals("alice", rate: 72)
        try world.restart(keys: SealingKeys("2 B" + otherKey))
        #expect(try rates(world) == [])
        try world.sweep()
        try world.restart(keys: World.keys)
        #expect(try rates(world) == [72])
    }

    // MARK: Lists

    @Test func `Pages of samples follow each other in time order`() throws {
        let world = try world()
        for second in [3, 1, 4, 0, 2] {
            try world.vitals("alice", rate: 60 + second, ago: .seconds(second))
        }
        var (found, before) = ([Int64](), "")
        for _ in 0..<3 {
            let page = try world.ask("alice", "vitals.list", #"{"limit":2\#(before)}"#)["result"]
            found += (page?["vitals"]?.elements ?? []).compactMap { $0["heartRate"]?.integer }
            before = (page?["next"]?.text).map { #","before":"\#($0)""# } ?? ""
        }
        #expect(found == [60, 61, 62, 63, 64])
        #expect(before.isEmpty)
        let (from, to) = (
            (world.now - .seconds(3)).milliseconds, (world.now - .seconds(1)).milliseconds
        )
        #expect(try rates(world, "alice", #"{"from":\#(from),"to":\#(to)}"#) == [62, 63])
        #expect(
            try world.outcome("alice", "vitals.list", #"{"before":"1.x"}"#)
                == "invalid: before was not issued by this service")
    }

    @Test func `A page stays below the size of a message`() throws {
        let world = try world()
        let time = world.now.milliseconds
        let samples = (0..<600 as Range<Int64>).map {
            """
            {"timestamp":\(time - $0),"heartRate":72.123456789,"oxygenSaturation":97.123456789,\
            "respiratoryRate":14.123456789,"systolicPressure":120.123456789,\
            "diastolicPressure":80.123456789,"bodyTemperature":36.123456789,"activity":"exercise",\
            "consciousness":"alert","seq":\(9_007_199_254_740_000 + $0)}
            """
        }
        try world.send(world.vitalsMessage("alice", "[\(samples.joined(separator: ","))]"))
        let replies = try world.turn([
            world.requestMessage("alice", "vitals.list", #"{"limit":500}"#)
        ]).filter { $0.topic.contains("/replies") }
        #expect(replies.count == 1)
        #expect(replies.allSatisfy { $0.payload.count < 61_440 })
    }

    @Test func `An export has the samples and the consents`() throws {
        let world = try world()
        try world.vitals("alice/watch", rate: 72)
        let items = try world.exported("alice")
        let sample = items.first { $0["type"] == .string("vitals") }
        #expect(sample?["vitals"]?["heartRate"]?.integer == 72)
        #expect(sample?["device"] == .string("watch"))
        #expect(items.contains { $0["type"] == .string("vitals-consent") })
    }
}

/// Vital signs of a user who sends more than their budget allows.
struct VitalsBudgetTests {
    private func samples(_ world: World, _ first: Int, _ count: Int, rate: Int = 70) -> String {
        let all = (0..<count).map { place in
            let number = first + place
            let time = world.now.milliseconds - Int64(100_000 - number * 10)
            return #"{"timestamp":\#(time),"heartRate":\#(rate),"seq":\#(number)}"#
        }
        return "[\(all.joined(separator: ","))]"
    }

    @Test func `Vital signs over the budget are refused temporarily and accepted later`() throws {
        var settings = BridgeSettings()
        settings.fairness.allowance = Allowance(burst: 100, perSecond: 20)
        let world = try World.withFamily(settings)
        #expect(try world.outcome("alice", "vitals.consent") == "ok")
        world.sleep(.seconds(60))
        _ = world.published()
        try world.send(world.vitalsMessage("alice", samples(world, 1, 100)))
        #expect(try world.count("vitals") == 100)
        let second = samples(world, 101, 100)
        try world.send(world.vitalsMessage("alice", second))
        #expect(try world.count("vitals") == 100)
        let published = world.published()
        let rejected = try #require(published.last { $0.topic.hasSuffix("/rejected") })
        #expect(JSONValue.read(rejected.payload).outcome == "too-many")
        let stored = published.last { $0.topic.hasSuffix("/stored") }
        #expect(stored.map { JSONValue.read($0.payload)["seq"]?.integer } == 100)
        // One message a second is stored in any case.
        world.sleep(.seconds(2))
        try world.send(world.vitalsMessage("alice", second))
        #expect(try world.count("vitals") == 200)
        // Bob is not concerned.
        #expect(try world.outcome("bob", "vitals.consent") == "ok")
        try world.vitals("bob", rate: 60)
        #expect(try world.count("vitals") == 201)
    }
}
