import Contract
import JSON
import Testing
import Tracking

@testable import Bridge

/// Reminders are told when it is time, each time once.
struct ReminderTests {
    /// Alice and Bob, and a bakery.
    static func world(
        _ settings: BridgeSettings = BridgeSettings(), at time: String = "2026-05-01T08:00:00Z"
    ) throws -> World {
        let now = try #require(Timestamp(rfc3339: time))
        let world = try World(settings, at: now)
        try world.addUsers("alice", "bob")
        try world.addGroup("Family", "alice", "bob")
        try world.importPlaces(.bakery())
        try world.turn([world.status("alice", "online"), world.status("bob", "online")])
        _ = world.published()
        return world
    }

    static func create(_ fields: String, in world: World, by sender: Sender = "alice")
        throws -> JSONValue
    {
        try world.ask(
            sender, "reminder.create", #"{"place":"bakery","text":"Bread",\#(fields)}"#)
    }

    /// For when what was told since the last call was due, in UTC.
    static func told(_ world: World) -> [String] {
        world.published().filter { $0.topic.hasSuffix("/notices") }
            .map { JSONValue.read($0.payload) }.filter { $0["kind"]?.text == "reminder" }
            .compactMap { $0["dueAt"]?.text.map { String($0.prefix(16)) } }
    }

    static func pass(_ world: World, until time: String) throws {
        try world.pass(until: try #require(Timestamp(rfc3339: time)))
    }

    // MARK: At a time

    @Test func `It is told at its time, once, also across a restart and a crash`() throws {
        let world = try ReminderTests.world()
        let reply = try ReminderTests.create(#""at":"2026-05-01T18:30""#, in: world)
        let reminder = try #require(reply["result"]?["reminder"])
        #expect(reminder["next"]?.text == "2026-05-01T16:30:00.000Z")
        #expect(reminder["timeZone"]?.text == "Europe/Ljubljana", "the place's")
        try ReminderTests.pass(world, until: "2026-05-01T16:29:59Z")
        try world.restart()
        #expect(ReminderTests.told(world) == [])
        try world.pass(.seconds(1))
        let notice = try #require(world.published().first { $0.topic.hasSuffix("/notices") })
        #expect(notice.topic == "kith/users/alice/notices")
        #expect(JSONValue.read(notice.payload)["text"]?.text == "Bread")
        #expect(JSONValue.read(notice.payload)["placeName"]?.text == "bakery")
        try world.restart()
        _ = world.published()
        try world.pass(.seconds(86_400))
        #expect(ReminderTests.told(world) == [])
        let list = try world.ask("alice", "reminder.list")["result"]?["reminders"]?.elements
        #expect(list?.count == 1 && list?[0]["toldAt"] != nil && list?[0]["next"] == nil)
    }

    @Test func `What was due while the service was away is told when it is back, once`() throws {
        let world = try ReminderTests.world()
        for fields in [
            #""at":"2026-05-02T09:00""#, #""at":"2026-05-02T09:00","rrule":"FREQ=DAILY""#,
        ] {
            _ = try ReminderTests.create(fields, in: world)
        }
        _ = world.published()
        world.sleep(.seconds(5 * 86_400))
        try world.restart()
        try world.turn([], .timers)
        #expect(ReminderTests.told(world) == ["2026-05-02T07:00", "2026-05-02T07:00"])
        try world.pass(.seconds(86_400))
        #expect(ReminderTests.told(world) == ["2026-05-07T07:00"])
    }

    @Test(arguments: [
        // The clocks go forward on March 29: 02:30 does not exist, and is 03:30 then.
        (
            "2027-03-27T00:00:00Z", "2027-03-27T02:30", "FREQ=DAILY", "2027-03-30T00:00:00Z",
            ["2027-03-27T01:30", "2027-03-28T01:30", "2027-03-29T00:30"]
        ),
        // They go back on October 25: nine is nine.
        (
            "2026-10-24T00:00:00Z", "2026-10-24T09:00", "FREQ=DAILY", "2026-10-27T00:00:00Z",
            ["2026-10-24T07:00", "2026-10-25T08:00", "2026-10-26T08:00"]
        ),
        // 02:30 comes twice then, and is told once.
        (
            "2026-10-24T00:00:00Z", "2026-10-24T02:30", "FREQ=DAILY", "2026-10-27T00:00:00Z",
            ["2026-10-24T00:30", "2026-10-25T00:30", "2026-10-26T01:30"]
        ),
        // Months without a 31st are left out.
        (
            "2026-12-31T00:00:00Z", "2026-12-31T09:00", "FREQ=MONTHLY", "2027-06-01T00:00:00Z",
            ["2026-12-31T08:00", "2027-01-31T08:00", "2027-03-31T07:00", "2027-05-31T07:00"]
        ),
        (
            "2026-12-31T00:00:00Z", "2027-01-31T09:00", "FREQ=MONTHLY;BYMONTHDAY=-1",
            "2027-03-01T00:00:00Z", ["2027-01-31T08:00", "2027-02-28T08:00"]
        ),
        // A leap day.
        (
            "2028-02-28T00:00:00Z", "2028-02-29T12:00", "FREQ=YEARLY", "2033-01-01T00:00:00Z",
            ["2028-02-29T11:00", "2032-02-29T11:00"]
        ),
        (
            "2026-05-01T00:00:00Z", "2026-05-01T09:00", "FREQ=WEEKLY;BYDAY=MO,FR;COUNT=3",
            "2026-07-01T00:00:00Z", ["2026-05-01T07:00", "2026-05-04T07:00", "2026-05-08T07:00"]
        ),
    ])
    func `It is told by people's clocks and calendars`(
        now: String, at: String, rule: String, end: String, told: [String]
    ) throws {
        let world = try ReminderTests.world(at: now)
        let reply = try ReminderTests.create(#""at":"\#(at)","rrule":"\#(rule)""#, in: world)
        #expect(reply.outcome == "ok")
        try ReminderTests.pass(world, until: end)
        #expect(ReminderTests.told(world) == told)
    }

    // MARK: A clock that is set

    @Test func `A clock that was a year ahead for a moment silences nothing`() throws {
        let world = try ReminderTests.world()
        _ = try ReminderTests.create(#""at":"2026-05-01T18:00","rrule":"FREQ=DAILY""#, in: world)
        let before = world.now
        world.sleep(.seconds(365 * 86_400))
        try world.turn([], .rescheduling)
        try world.turn([], .timers)
        #expect(ReminderTests.told(world).count == 1)
        world.sleep(before - world.now)
        try world.turn([], .rescheduling)
        try ReminderTests.pass(world, until: "2026-05-03T00:00:00Z")
        #expect(ReminderTests.told(world) == ["2026-05-01T16:00", "2026-05-02T16:00"])
    }

    @Test func `What a clock that is ahead tells too early is told again when it is time`() throws {
        let world = try ReminderTests.world(at: "2026-05-01T15:30:00Z")
        for rule in ["", #","rrule":"FREQ=DAILY""#] {
            _ = try ReminderTests.create(#""at":"2026-05-01T18:00"\#(rule)"#, in: world)
        }
        let before = world.now
        world.sleep(.seconds(365 * 86_400))
        try world.turn([], .rescheduling)
        try world.turn([], .timers)
        #expect(ReminderTests.told(world).count == 2)
        world.sleep(before - world.now)
        try world.turn([], .rescheduling)
        try ReminderTests.pass(world, until: "2026-05-02T17:00:00Z")
        #expect(
            ReminderTests.told(world) == [
                "2026-05-01T16:00", "2026-05-01T16:00", "2026-05-02T16:00",
            ])
    }

    @Test func `Opening hours that change keep what is still to be told today`() throws {
        // Monday, before it opens.
        let world = try ReminderTests.world(at: "2026-05-04T04:00:00Z")
        let rule = #""when":"opens","at":"2026-05-04T06:01","rrule":"FREQ=WEEKLY""#
        #expect(try ReminderTests.create(rule, in: world).outcome == "ok")
        try ReminderTests.pass(world, until: "2026-05-04T05:00:00Z")
        try world.importPlaces(.bakery(hours: "Mo-Fr 09:00-12:00"))
        try world.restart()
        try ReminderTests.pass(world, until: "2026-05-05T00:00:00Z")
        #expect(ReminderTests.told(world) == ["2026-05-04T07:00"])
    }

    @Test func `A clock that is corrected by a little brings nothing back`() throws {
        let world = try ReminderTests.world()
        _ = try ReminderTests.create(#""at":"2026-05-01T18:00","rrule":"FREQ=DAILY""#, in: world)
        try ReminderTests.pass(world, until: "2026-05-01T16:00:00Z")
        #expect(ReminderTests.told(world) == ["2026-05-01T16:00"])
        world.sleep(.seconds(-30))
        try world.turn([], .rescheduling)
        try ReminderTests.pass(world, until: "2026-05-02T15:00:00Z")
        #expect(ReminderTests.told(world) == [])
    }

    // MARK: Other conditions

    @Test func `It is told when the place opens, also if it opens at another time by then`() throws
    {
        let world = try ReminderTests.world(at: "2026-05-01T17:00:00Z")
        let reply = try ReminderTests.create(#""when":"opens""#, in: world)
        // From Friday evening to Monday morning.
        #expect(reply["result"]?["reminder"]?["next"]?.text == "2026-05-04T06:00:00.000Z")
        try world.importPlaces(.bakery(hours: "Mo-Sa 07:00-12:00"))
        try ReminderTests.pass(world, until: "2026-05-05T00:00:00Z")
        #expect(ReminderTests.told(world) == ["2026-05-02T05:00"])
        try world.importPlaces(.bakery("silent", hours: nil))
        let unknown = try world.ask(
            "alice", "reminder.create", #"{"place":"silent","text":"x","when":"opens"}"#)
        #expect(unknown.wrongFields == ["when"])
    }

    @Test func `A reminder, coming near while somebody calls for help, is told after the call`()
        throws
    {
        let world = try ReminderTests.world()
        _ = try ReminderTests.create(#""when":"near","radius":200"#, in: world)
        try world.pass(.seconds(1))
        try world.turn([
            world.requestMessage("bob", "sos.trigger"), world.fixMessage("alice", TestFix(0)),
        ])
        #expect(ReminderTests.told(world) == [])
        try world.pass(.seconds(2))
        #expect(ReminderTests.told(world).count == 1)
    }

    @Test func `It is told to whoever comes near, once, and only by a position of now`() throws {
        let world = try ReminderTests.world()
        let reply = try ReminderTests.create(#""when":"near","radius":200"#, in: world)
        #expect(reply.outcome == "ok")
        try world.pass(.seconds(1))
        try world.fix("alice", TestFix(1_000))
        try world.fix("bob", TestFix(0))
        #expect(ReminderTests.told(world) == [])
        try world.pass(.seconds(300))
        try world.fix("alice", TestFix(100, ago: 200))
        #expect(ReminderTests.told(world) == [], "that was long ago")
        try world.fix("alice", TestFix(100, accuracy: 500))
        #expect(ReminderTests.told(world) == [], "that may be anywhere")
        try world.restart()
        try world.pass(.seconds(1))
        try world.fix("alice", TestFix(150))
        #expect(ReminderTests.told(world).count == 1)
        try world.pass(.seconds(60))
        try world.fix("alice", TestFix(100))
        #expect(ReminderTests.told(world) == [])
    }
}
