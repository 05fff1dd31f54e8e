internal import JSON
internal import Languages
public import Tracking

extension NoticeKind {
    private static let run: [Member] = [.name("run"), .text("name", as: "run")]

    static let runCancelled = NoticeKind(
        "run-cancelled", run, latest: .of("run"), says: .text(.runCancelled))
    static let runChanged = NoticeKind(
        "run-changed", run, latest: .of("run"), says: .text(.runChanged))
    static let runStarting = NoticeKind(
        "run-starting", run + [.time("startsAt", as: "time")], latest: .of("run"),
        says: .text(.runStarting))
}

extension Notice.News {
    /// A run in which the user takes part was cancelled.
    public static func runCancelled(run: Name, name: String) -> Notice.News {
        .init(.runCancelled, ["run": .string(run.text), "name": .string(name)])
    }

    /// Its start, place or course was changed.
    public static func runChanged(run: Name, name: String) -> Notice.News {
        .init(.runChanged, ["run": .string(run.text), "name": .string(name)])
    }

    public static func runStarting(run: Name, name: String, at time: Timestamp) -> Notice.News {
        .init(
            .runStarting,
            ["run": .string(run.text), "name": .string(name), "startsAt": .time(time)])
    }
}
