import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Reminders are sent when they are due, each time once.
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

    /// The due times, in UTC, of the reminders sent since the last call.
    static func told(_ world: World) -> [String] {
        world.published().filter { $0.topic.hasSuffix("/notices") }
            .map { JSONValue.read($0.payload) }.filter { $0["kind"]?.text == "reminder" }
            .compactMap { $0["dueAt"]?.text.map { String($0.prefix(16)) } }
    }

    static func pass(_ world: World, until time: String) throws {
        try world.pass(until: try #require(Timestamp(rfc3339: time)))
    }

    // MARK: At a time

    @Test func `A reminder is sent once at its time, even across a restart and a crash`() throws {
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

    @Test func `A reminder due while the service was away is sent once on its return`() throws {
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
        // 02:30 occurs twice then, and the reminder is sent once.
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
    func `Reminders follow local time and the calendar`(
        now: String, at: String, rule: String, end: String, told: [String]
    ) throws {
        let world = try ReminderTests.world(at: now)
        let reply = try ReminderTests.create(#""at":"\#(at)","rrule":"\#(rule)""#, in: world)
        #expect(reply.outcome == "ok")
        try ReminderTests.pass(world, until: end)
        #expect(ReminderTests.told(world) == told)
    }

    // MARK: A clock that is set

    @Test func `A clock briefly a year ahead suppresses no reminder`() throws {
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

    @Test func `A reminder sent too early by a clock ahead is sent again when due`() throws {
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

    @Test func `Changed opening hours keep a reminder that is still due today`() throws {
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

    @Test func `A small clock correction does not repeat a reminder`() throws {
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

    @Test func `A reminder is sent when the place opens, even at changed hours`() throws {
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

    @Test func `A reminder for coming near is sent after a simultaneous call for help`() throws {
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

    @Test func `A reminder for coming near is sent once, and only by a current position`() throws {
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
