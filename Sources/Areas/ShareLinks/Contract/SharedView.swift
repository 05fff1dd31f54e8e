public import Tracking

/// Everything that a link's holder sees of the person, retained on the link's topic.
public struct SharedView: Sendable {
    public var name: String
    public var what: SharedThing
    public var until: Timestamp
    /// Nil if it is unknown or currently hidden.
    public var fix: Fix?
    /// The journey of a journey's link, while it is in progress.
    public var journey: Journey?
    /// The end of the journey.
    public var end: End?

    /// The end of a journey.
    public enum End: String, Hashable, Sendable, CaseIterable {
        case arrived
        /// In any other way, which the link does not reveal.
        case over
    }

    public init(
        name: String, what: SharedThing, until: Timestamp, fix: Fix?, journey: Journey? = nil,
        end: End? = nil
    ) {
        (self.name, self.what, self.until) = (name, what, until)
        (self.fix, self.journey, self.end) = (fix, journey, end)
    }

    /// The fix has only position and time.
    public static let payload = Payload<SharedView>(
        "SharedView",
        .init("name", .text) { $0.name },
        .init("what", .choice) { $0.what },
        .init("until", .time) { $0.until },
        .init(
            "fix",
            .object(
                .coordinate { $0.coordinate },
                .init("timestamp", .time) { $0.takenAt },
                .init("accuracy", .number(FixLimits.accuracyRange)) { $0.accuracy })
        ) { $0.fix },
        .init(
            "journey",
            .object(
                .init("destination", .object(destination)) { $0.destination },
                .init("eta", .time) { $0.eta },
                .init("late", .boolean) { $0.isLate })
        ) { $0.journey },
        .init("ended", .choice) { $0.end })

    private static let destination = Payload<Destination>(
        .coordinate { $0.coordinate },
        .init("name", .text) { $0.name })

    public var payload: [UInt8] { SharedView.payload.bytes(of: self) }
}
