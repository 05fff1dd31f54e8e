internal import Tracking

extension Area {
    /// Reminders: at a place, at a time, when it opens, or when one is near.
    static let reminders = Area(
        "Reminders",
        methods: [
            Method(
                "reminder.create", .makes, [], against: [.changes, .answers],
                Form(
                    "`{place,text,at,timeZone?,rrule?}`",
                    gives: "`{reminder}`: a Reminder, told then as a notice and on my channels; "
                        + "`place`: of `place.list` or `geofence.list`; `at`: `2026-12-24T18:00` by "
                        + "the clocks of `timeZone` (of the place, if it says none), or a time of "
                        + "RFC 3339; `rrule`: of RFC 5545"),
                Form(
                    #"`{place,text,when:"opens",at?,timeZone?,rrule?}`"#,
                    gives: "the same: told when the place opens for the first time after that"),
                Form(
                    #"`{place,text,when:"near",radius,at?,timeZone?,rrule?}`"#,
                    gives: "the same: told when I am within so many metres for the first time "
                        + "after that")
            ) { fields, _ in ReminderCommand.create(&fields) },
            Method(
                "reminder.update", .changes, [], against: [.changes, .answers],
                Form(
                    "`{reminder,…}`: the fields of `reminder.create` that change; "
                        + "`rrule:null` for none",
                    gives: "`{reminder}`: a Reminder")
            ) { fields, _ in ReminderCommand.update(&fields) },
            Method(
                "reminder.delete", .changes, [], against: [],
                Form("`{reminder}`", gives: "`{}`: it is told no more")
            ) { fields, _ in fields.uuid("reminder").map { ReminderCommand.delete($0) } },
            Method(
                "reminder.list", .reads, .demo,
                Form("`{after?}`", gives: "`{reminders,next}`: my Reminders, the oldest first")
            ) { fields, _ in ReminderCommand.list(&fields) },
        ],
        exports: [ExportList("reminder", "your reminders")])
}
