import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

extension ReminderTests {
    @Test func `A rejected reminder names every wrong field`() throws {
        let world = try ReminderTests.world()
        #expect(
            try world.ask("alice", "reminder.create").wrongFields == ["place", "text", "at"])
        let wrong = try world.ask(
            "alice", "reminder.create",
            #"{"place":"","text":" ","at":"later","rrule":"FREQ=HOURLY","when":"now","radius":1}"#)
        #expect(
            wrong.wrongFields == ["place", "text", "when", "at", "rrule"])
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

    @Test func `Only its owner can change, delete and list a reminder`() throws {
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

    @Test func `Changing the text does not repeat a sent reminder`() throws {
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

    @Test func `Deleting a user deletes their reminders, and none is sent`() throws {
        let world = try ReminderTests.world()
        _ = try ReminderTests.create(#""at":"2026-05-01T18:00""#, in: world, by: "bob")
        try world.operate(.removeUser("bob"))
        _ = world.published()
        try ReminderTests.pass(world, until: "2026-05-02T00:00:00Z")
        #expect(ReminderTests.told(world) == [])
        #expect(try world.count("reminders") == 0)
    }

    @Test func `Ten thousand reminders due at once do not delay a call for help`() throws {
        let world = try ReminderTests.world()
        _ = try ReminderTests.create(#""at":"2026-05-01T18:00""#, in: world)
        try world.multiplyReminders(by: 10_000)
        try world.restart()
        _ = world.published()
        try ReminderTests.pass(world, until: "2026-05-01T15:59:59Z")
        world.sleep(.seconds(1))
        // Each turn sends a part of them; a call in between is sent in its own turn.
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
            SELECT '01a00000-0000-7000-8000-' || (100000000000 + i), user_id, place, place_name,
                latitude_e7, longitude_e7, text, starts_at, time_zone, rrule, condition, radius_m,
                next_at_ms, is_armed, told_at_ms, told_for_ms
            FROM n, (SELECT * FROM reminders LIMIT 1) AS first
            """)
    }
}
