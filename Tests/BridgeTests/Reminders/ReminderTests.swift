import Contract
import JSON
import Testing
import Tracking

@testable import Bridge

/// Reminders are told when it is time, each time once.
struct ReminderTests {
    /// Alice and Bob, and a bakery.
    private static func world(at time: String = "2026-05-01T08:00:00Z") throws -> World {
        let now = try #require(Timestamp(rfc3339: time))
        let world = try World(at: now)
        try world.addUsers("alice", "bob")
        try world.addGroup("Family", "alice", "bob")
        try world.importPlaces(.bakery())
        try world.turn([world.status("alice", "online"), world.status("bob", "online")])
        _ = world.published()
        return world
    }

    private static func create(_ fields: String, in world: World, by sender: Sender = "alice")
        throws -> JSONValue
    {
        try world.ask(
            sender, "reminder.create", #"{"place":"bakery","text":"Bread",\#(fields)}"#)
    }

    /// For when what was told since the last call was due, in UTC.
    private static func told(_ world: World) -> [String] {
        world.published().filter { $0.topic.hasSuffix("/notices") }
            .map { JSONValue.read($0.payload) }.filter { $0["kind"]?.text == "reminder" }
            .compactMap { $0["dueAt"]?.text.map { String($0.prefix(16)) } }
    }

    private static func pass(_ world: World, until time: String) throws {
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

    // MARK: Requests

    @Test func `Everything that is wrong is said at once, by name`() throws {
        let world = try ReminderTests.world()
        #expect(
            try world.ask("alice", "reminder.create").wrongFields == ["place", "text", "at"])
        let wrong = try world.ask(
            "alice", "reminder.create",
            #"{"place":"","text":" ","at":"later","rrule":"FREQ=HOURLY","when":"now","radius":1}"#)
        #expect(
            wrong.wrongFields == ["place", "text", "when", "at", "rrule", "radius"])
        for (fields, field) in [
            (#""at":"2026-04-01T09:00""#, "at"), (#""at":"2026-02-30T09:00""#, "at"),
            (#""at":"2026-05-02T09:00","timeZone":"Nowhere/At_all""#, "timeZone"),
            (#""at":"2026-04-01T09:00","rrule":"FREQ=DAILY;COUNT=2""#, "rrule"),
            (#""when":"near""#, "radius"),
        ] {
            #expect(
                try ReminderTests.create(fields, in: world).wrongFields == [field], "\(fields)")
        }
        #expect(
            try world.outcome(
                "alice", "reminder.create",
                #"{"place":"nowhere","text":"x","at":"2026-05-02T09:00"}"#) == "unknown-place")
        #expect(try world.count("reminders") == 0)
    }

    @Test func `A reminder is changed, deleted and listed by its owner alone`() throws {
        let world = try ReminderTests.world()
        let made = try ReminderTests.create(#""at":"2026-05-02T09:00""#, in: world)
        let id = made["result"]?["reminder"]?["reminder"]?.text ?? ""
        for method in ["reminder.update", "reminder.delete"] {
            _ = try world.ask("bob", method, #"{"reminder":"\#(id)","text":"Mine"}"#)
        }
        #expect(try world.ask("bob", "reminder.list")["result"]?["reminders"]?.elements == [])
        let changed = try world.ask(
            "alice", "reminder.update",
            #"{"reminder":"\#(id)","text":"Rolls","rrule":"FREQ=WEEKLY","at":"2026-05-03T10:00"}"#)
        #expect(changed["result"]?["reminder"]?["text"]?.text == "Rolls")
        #expect(changed["result"]?["reminder"]?["next"]?.text == "2026-05-03T08:00:00.000Z")
        let once = try world.ask(
            "alice", "reminder.update", #"{"reminder":"\#(id)","rrule":null}"#)
        #expect(once["result"]?["reminder"]?["rrule"] == nil)
        #expect(
            try world.ask("alice", "reminder.update", #"{"reminder":"\#(id)","text":""}"#)
                .wrongFields == ["text"])
        #expect(try world.outcome("alice", "reminder.delete", #"{"reminder":"\#(id)"}"#) == "ok")
        try world.pass(.seconds(5 * 86_400))
        #expect(ReminderTests.told(world) == [])
    }

    @Test func `Another text does not tell again what was told`() throws {
        let world = try ReminderTests.world()
        let made = try ReminderTests.create(#""at":"2026-05-01T18:00""#, in: world)
        let id = made["result"]?["reminder"]?["reminder"]?.text ?? ""
        try ReminderTests.pass(world, until: "2026-05-01T17:00:00Z")
        #expect(ReminderTests.told(world).count == 1)
        let update = #"{"reminder":"\#(id)","text":"Rolls"}"#
        #expect(try world.outcome("alice", "reminder.update", update) == "ok")
        try world.pass(.seconds(86_400))
        #expect(ReminderTests.told(world) == [])
    }

    @Test func `Whoever has gone is told nothing, and nothing of theirs is left`() throws {
        let world = try ReminderTests.world()
        _ = try ReminderTests.create(#""at":"2026-05-01T18:00""#, in: world, by: "bob")
        try world.operate(.removeUser("bob"))
        _ = world.published()
        try ReminderTests.pass(world, until: "2026-05-02T00:00:00Z")
        #expect(ReminderTests.told(world) == [])
        #expect(try world.count("reminders") == 0)
    }

    @Test func `Ten thousand reminders at nine hold no call for help up`() throws {
        let world = try ReminderTests.world()
        _ = try ReminderTests.create(#""at":"2026-05-01T18:00""#, in: world)
        try world.multiplyReminders(by: 10_000)
        try world.restart()
        _ = world.published()
        try ReminderTests.pass(world, until: "2026-05-01T15:59:59Z")
        world.sleep(.seconds(1))
        // Each turn does a part of them; a call comes in between, and is sent in its own turn.
        try world.turn([], .timers)
        let first = ReminderTests.told(world).count
        #expect((1...100).contains(first))
        try world.turn([world.requestMessage("alice", "sos.trigger", "{}")])
        let published = world.published()
        #expect(published.contains { $0.topic.hasSuffix("/alerts") })
        try world.pass(.seconds(60))
        #expect(try world.count("reminders", where: "told_at_ms IS NOT NULL") == 10_001)
    }
}

extension World {
    /// Copies of the only reminder.
    fileprivate func multiplyReminders(by count: Int) throws {
        try execute(
            """
            INSERT INTO reminders
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            SELECT printf('01a00000-0000-7000-8000-%012d', i), user_id, place, place_name,
                latitude_e7, longitude_e7, text, starts_at, time_zone, rrule, condition, radius_m,
                next_at_ms, is_armed, told_at_ms, told_for_ms
            FROM n, (SELECT * FROM reminders LIMIT 1)
            """)
    }
}
