internal import JSON
internal import Languages
public import Tracking

extension NoticeKind {
    static let reminder = NoticeKind(
        "reminder",
        [
            .uuid("reminder"), .text("place") { PlaceID($0) != nil },
            .text("placeName", as: "place"), .text("text", as: "text"), .time("dueAt"),
        ], says: .text(.reminder))
}

extension Notice.News {
    /// A reminder that the user set for a place is due.
    public static func reminder(
        _ reminder: UUIDv7, place: PlaceID, name: String, text: String, at time: Timestamp
    ) -> Notice.News {
        .init(
            .reminder,
            [
                "reminder": .string(reminder.description), "place": .string(place.text),
                "placeName": .string(name), "text": .string(text), "dueAt": .time(time),
            ])
    }
}
