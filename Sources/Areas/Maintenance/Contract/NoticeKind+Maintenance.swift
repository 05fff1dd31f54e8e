internal import JSON
internal import Languages
public import Tracking

extension NoticeKind {
    private static let date: @Sendable (Timestamp) -> Phrase.Value = { .clock($0, near: nil) }

    static let maintenance = NoticeKind(
        "maintenance",
        [
            .time("from", as: "from", date), .time("to", as: "to", date),
            .text("text", as: "text"), .bool("last"), .bool("late"), .flag("moved"),
        ],
        urgent: .from("from", if: "last"), pace: .unlimited,
        says: Words { notice, _ in
            (notice.news["moved"] == nil ? [] : [Phrase(.maintenanceMoved)])
                + [notice.phrase(.maintenance)]
                + (notice.news["late"] == .bool(true) ? [Phrase(.announcedLate)] : [])
        })
    static let maintenanceCancelled = NoticeKind(
        "maintenance-cancelled", [.time("from", as: "from", date), .time("to", as: "to", date)],
        pace: .unlimited, says: .text(.maintenanceCancelled))
}

extension Notice.News {
    /// The vital signs are not monitored in that time.
    ///
    /// - Parameters:
    ///   - isLast: whether it begins within the hour.
    ///   - isLate: whether it was announced later than it should have been.
    ///   - isMoved: whether another time was announced before.
    public static func maintenance(
        from: Timestamp, to: Timestamp, text: String, isLast: Bool, isLate: Bool, isMoved: Bool
    ) -> Notice.News {
        .init(
            .maintenance,
            [
                "from": .time(from), "to": .time(to), "text": .string(text),
                "last": .bool(isLast), "late": .bool(isLate), "moved": .flag(isMoved),
            ])
    }

    /// An announced maintenance was cancelled.
    public static func maintenanceCancelled(from: Timestamp, to: Timestamp) -> Notice.News {
        .init(.maintenanceCancelled, ["from": .time(from), "to": .time(to)])
    }
}
