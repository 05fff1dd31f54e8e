internal import Tracking

extension Area {
    /// Reminders: at a place, at a time, when it opens, or when its owner is near.
    static let reminders = Area(
        "Reminders",
        methods: [
            Method(
                "reminder.create", .makes, [], against: [.changes, .answers],
                ReminderDetails.whole.map { ReminderCommand.create($0) },
                result: Reminder.result.schema,
                gives: "sent at that time as a notice and to my channels",
                "the same: sent when the place next opens after that",
                "the same: sent when I first come within so many metres after that"),
            Method(
                "reminder.update", .changes, [], against: [.changes, .answers],
                Form(Form("reminder", .uuid), ReminderDetails.part) {
                    ReminderCommand.update($0, $1)
                },
                result: Reminder.result.schema, gives: "omitted members stay"),
            Method(
                "reminder.delete", .changes, [], against: [],
                Form(Form("reminder", .uuid)) { ReminderCommand.delete($0) },
                gives: "`{}`: it is no longer sent"),
            Method(
                "reminder.list", .reads, .demo,
                Form(Form("after", .uuid).ifPresent) { ReminderCommand.list(after: $0) },
                result: Reminder.list.schema, gives: "mine, the oldest first"),
        ],
        notices: [.reminder],
        exports: [ExportList("reminder", "your reminders")],
        payloads: [Reminder.payload.row])
}
