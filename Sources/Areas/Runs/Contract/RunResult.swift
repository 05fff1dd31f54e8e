public import Tracking

/// The results of requests about runs.
public enum RunResult {
    /// Of its organiser's request.
    public static let organised = Payload<Run.Shown>(.init("run", .object(Run.payload)) { $0 })

    /// - `bib`: the reader's, if they take part.
    /// - `isOwn`: whether the reader organises it.
    public static let shown = Payload<(run: Run.Shown, bib: Int?, isOwn: Bool)>(
        .init("run", .object(Run.payload)) { $0.run },
        .init("bib", .count) { $0.bib },
        .flag("mine") { $0.isOwn })

    public static let list = Payload.page("runs", of: Run.payload)

    public static let enrolled = Payload<Int>(.init("bib", .count) { $0 })

    /// A run in which everyone sees the reader.
    static let consent = Payload<Consent>(
        .init("run", .name) { $0.run },
        .init("name", .text) { $0.name },
        .init("bib", .count) { $0.bib },
        .init("shownAs", .text) { $0.shownAs },
        .init("showHeartRate", .boolean) { $0.showsHeartRate },
        .init("since", .time) { $0.since })

    public typealias Consent = (
        run: Name, name: String, bib: Int, shownAs: String?, showsHeartRate: Bool,
        since: Timestamp
    )
}
