import Contract
import JSON
import MQTT
import TestSupport
import Testing

@testable import Bridge

/// Invalid fixes are refused with the reason, on the device's own topic.
struct RefusalTests {
    private static func fix(_ more: String) -> String {
        #"{"latitude":46,"longitude":14.5,"timestamp":1777629600000\#(more)}"#
    }

    @Test(arguments: [
        ("{", "malformed"),
        ("", "malformed"),
        ("nonsense", "malformed"),
        ("\u{1F468}", "malformed"),
        ("[]", nil),
        ("7", "invalid: payload must be an object"),
        ("[7]", "invalid: [0] must be an object"),
        ("{}", "invalid: latitude is missing; longitude is missing; timestamp is missing"),
        (
            #"{"latitude":90.1,"longitude":-180.1,"timestamp":"today"}"#,
            "invalid: latitude must be from -90 to 90; longitude must be from -180 to 180; "
                + "timestamp must be an RFC 3339 time or epoch milliseconds"
        ),
        (
            #"{"latitude":1e400,"longitude":14.5,"timestamp":1777629600000}"#,
            "invalid: latitude must be finite"
        ),
        (
            #"{"latitude":"46","longitude":null,"timestamp":1777629600000}"#,
            "invalid: latitude must be a number; longitude is missing"
        ),
        (
            #"{"latitude":0,"longitude":0,"timestamp":1777629600000}"#,
            "invalid: latitude and longitude are exactly 0 with no accuracy"
        ),
        (#"{"latitude":0,"longitude":0,"accuracy":5,"timestamp":1777629600000}"#, nil),
        (fix(""), nil),
        (fix(#","seq":0"#), nil),
    ])
    func `A fix is stored, or refused with all its errors`(_ payload: String, _ refusal: String?)
        throws
    {
        let world = try World.withFamily()
        try world.send(world.fixMessage("alice", payload))
        let rejections = world.published().filter { $0.topic.hasSuffix("/rejected") }
        #expect(
            rejections.map { JSONValue.read($0.payload)["problem"]?.problemWords }
                == (refusal.map { [$0] } ?? []))
        #expect(rejections.allSatisfy { $0.topic == "kith/users/alice/devices/phone/rejected" })
        let isStored = refusal == nil && payload != "[]"
        #expect(try world.count("fixes") == (isStored ? 1 : 0))
    }

    /// The fields left out of a fix, and why.
    private func leftOut(of rejection: Publication?) -> String? {
        rejection.flatMap { JSONValue.read($0.payload)["problem"]?.problemWords }
    }

    @Test(arguments: [
        (
            #","heading":361,"battery":101,"altitude":298"#,
            "invalid: heading must be from 0 to 360; battery must be from 0 to 100"
        ),
        (#","altitude":1e9"#, "invalid: altitude must be from -12000 to 2000000"),
        (#","speed":"fast""#, "invalid: speed must be a number"),
        (#","seq":1.5"#, "invalid: seq must be a whole number from 0 to 9007199254740991"),
        (#","speed":-1,"heading":-1,"battery":255"#, nil),
    ])
    func `A fix with an invalid optional field is stored without it, which is reported`(
        _ members: String, _ reason: String?
    ) throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice shares with all")
        _ = world.published()
        try world.send(world.fixMessage("alice", RefusalTests.fix(members)))
        let told = world.published().filter { $0.topic.hasSuffix("/rejected") }
        #expect(told.map { leftOut(of: $0) } == (reason.map { [$0] } ?? []))
        for rejection in told {
            #expect(JSONValue.read(rejection.payload)["taken"] == .bool(true))
            #expect(JSONValue.read(rejection.payload)["seq"] == nil)
            #expect(rejection.qos == .atMostOnce)
        }
        #expect(try world.count("fixes") == 1)
        let fix = world.state(of: "alice")["fix"]
        #expect(fix?["latitude"] == .number(46))
        for field in ["heading", "battery", "speed"] { #expect(fix?[field] == nil, "\(field)") }
        #expect(world.engine.counters.values["rejected"] == 0)
        #expect(world.engine.counters.values["fields-left-out"] == Int64(told.count))
    }

    @Test func `A fix with an impossible altitude gets a receipt and is stored without it`() throws
    {
        let world = try World.withFamily()
        try world.send(
            world.fixMessage("alice", RefusalTests.fix(#","altitude":-99999,"speed":2,"seq":1"#)))
        let receipt = try #require(world.published().first { $0.topic.hasSuffix("/stored") })
        #expect(JSONValue.read(receipt.payload)["seq"]?.integer == 1)
        try world.restart()
        let page = try world.ask(
            "alice", "position.list", #"{"from":1777629000000,"to":1777630000000}"#)["result"]
        let stored = try #require(page?["positions"]?.elements.first)
        #expect(stored["altitude"] == nil && stored["speed"] == .number(2))
    }

    @Test func `A call for help with invalid optional fields still states the position`() throws {
        let world = try World.withFamily()
        let fix = #"{"latitude":46,"longitude":14.5,"altitude":"high","battery":-1}"#
        #expect(try world.outcome("alice", "sos.trigger", #"{"fix":\#(fix)}"#) == "ok")
        #expect(world.state(of: "alice")["fix"]?["latitude"] == .number(46))
    }

    @Test(arguments: [
        (61, "invalid: timestamp is more than 60 s in the future"), (60, nil),
        (86_400, "invalid: timestamp is more than 60 s in the future"),
        (315_360_000, "invalid: timestamp is more than 60 s in the future"),
        (-86_400, nil), (-2_592_000, nil), (-2_592_001, "too-old"), (-315_360_000, "too-old"),
    ])
    func `A fix with a wrong time is refused where it would mislead`(
        _ secondsAhead: Double, _ refusal: String?
    ) throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice shares with all")
        try world.fix("alice", TestFix(99, ago: -secondsAhead))
        let rejection = world.published().last { $0.topic.hasSuffix("/rejected") }
        let problem = rejection.flatMap { JSONValue.read($0.payload)["problem"]?.problemWords }
        #expect(problem == refusal)
        // The refused ones do not hold up valid ones.
        try world.pass(.seconds(61))
        try world.fix("alice", TestFix(5))
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 5)
    }

    @Test func `The valid fixes of an array are stored and the invalid ones named`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice shares with all")
        let good = (1...3).map { TestFix($0, ago: Double(9 - $0)).json(at: world.now) }
        _ = world.published()
        try world.send(
            world.fixMessage(
                "alice", "[\(good[0]),{},\(good[1]),[],\(good[2]),{\"latitude\":1,\"seq\":4}]"))
        #expect(try world.count("fixes") == 3)
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 3)
        let rejection = try #require(world.published().first { $0.topic.hasSuffix("/rejected") })
        #expect(
            JSONValue.read(rejection.payload)["problem"]?.problemWords
                == "invalid: [1].latitude is missing; [1].longitude is missing; "
                + "[1].timestamp is missing; [3] must be an object; [5].longitude is missing; "
                + "[5].timestamp is missing")
    }

    @Test func `A message can have 1000 fixes, one more is too many`() throws {
        let world = try World.withFamily()
        let fixes = (1...1000).map {
            #"{"latitude":1,"longitude":1,"timestamp":\#($0 + 1777629000000)}"#
        }
        try world.send(world.fixMessage("alice", "[\(fixes.joined(separator: ","))]"))
        #expect(try world.count("fixes") == 1000)
        let more = Array(repeating: "{}", count: 1001).joined(separator: ",")
        try world.send(world.fixMessage("alice", "[\(more)]"))
        let rejection = try #require(world.published().last)
        #expect(JSONValue.read(rejection.payload)["problem"]?.problemWords == "too-large")
        #expect(try world.count("fixes") == 1000)
    }

    @Test(arguments: [
        (Topic.fix("alice", device: "phone"), 1),
        (.request("alice", device: "phone", method: "x"), 1),
        (.status("alice", device: "phone"), 1),
        (.ownTracks("alice", device: "phone", suffix: ""), 1),
    ])
    func `A payload has at most 64 KiB`(_ topic: Topic, _ count: Int) throws {
        let world = try World.withFamily()
        for (bytes, isTooLarge) in [(65_536, false), (65_537, true)] {
            try world.send(world.message(topic, String(repeating: " ", count: bytes)))
            let problems = world.published().map {
                JSONValue.read($0.payload)["problem"]?.problemWords
            }
            #expect(problems.contains("too-large") == isTooLarge)
        }
    }

    @Test(arguments: [
        "kith/users/alice/devices/phone/replies", "kith/users/alice/devices/phone/replies/x",
        "kith/users/alice/devices/phone/stored", "kith/users/alice/devices/phone/rejected",
        "kith/users/alice/devices/phone/fixes", "kith/users/alice/devices/phone/fix/1",
        "kith/users/alice/devices/phone/vitals/1", "owntracks/alice/phone/a/b",
    ])
    func `A message on a topic that is not for devices is rejected`(_ topic: String) throws {
        let world = try World.withFamily()
        try world.send(Message(topic: topic, payload: Array("{}".utf8), packetID: 3))
        let told = world.published()
        #expect(told.map(\.topic) == ["kith/users/alice/devices/phone/rejected"])
        let rejection = JSONValue.read(told[0].payload)
        #expect(rejection["topic"]?.text == topic)
        #expect(rejection["problem"]?.problemWords == "not-allowed")
    }

    @Test(arguments: [
        "kith/users/alice/groups", "kith/users/alice/notices", "kith/groups/x/alerts", "other",
        "kith/system/status", "kith/users/Alice/devices/phone/fix", "kith/users/a/devices/b/fix",
        "kith/users/alice/devices//fix", "kith/users/+/devices/#", "owntracks/alice/@bob",
        "owntracks/alice/@bob/info", "owntracks/alice", "", "/", "kith",
    ])
    func `A message on a topic without a device is only counted`(_ topic: String) throws {
        let world = try World.withFamily()
        try world.send(Message(topic: topic, payload: Array("{}".utf8)))
        #expect(world.published().isEmpty)
        #expect(world.engine.counters.values["rejected-not-allowed"] == 1)
    }

    @Test func `Unknown users and more than 16 devices are rejected`() throws {
        let world = try World.withFamily()
        try world.send(world.fixMessage("nobody", TestFix(0)))
        for number in 1...17 {
            try world.send(world.fixMessage(Sender("bob/d\(number)"), TestFix(number, ago: 1)))
        }
        let told = world.published().filter { $0.topic.hasSuffix("/rejected") }
        #expect(
            told.map(\.topic) == [
                "kith/users/nobody/devices/phone/rejected", "kith/users/bob/devices/d16/rejected",
                "kith/users/bob/devices/d17/rejected",
            ])
        #expect(
            told.map { JSONValue.read($0.payload)["problem"]?.problemWords }
                == ["unknown-user", "too-many", "too-many"])
        #expect(try world.count("devices", where: "user_id = 2") == 16)
    }

    @Test(arguments: [("online", nil), ("offline", nil), ("", nil), ("ONLINE", "x"), ("{}", "x")])
    func `A status is one of two words`(_ word: String, _ refusal: String?) throws {
        let world = try World.withFamily()
        try world.send(world.status("alice", word))
        let rejection = world.published().last { $0.topic.hasSuffix("/rejected") }
        #expect(
            rejection.flatMap { JSONValue.read($0.payload)["problem"]?.problemWords }
                == refusal.map { _ in "invalid: payload must be online or offline" })
    }
}
