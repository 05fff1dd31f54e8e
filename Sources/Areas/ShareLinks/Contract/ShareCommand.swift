public import Tracking

/// What a device may ask for about links that show where its user is.
public enum ShareCommand: AreaCommand {
    /// - `until`: nil for the usual end of a journey's link.
    case create(SharedThing, until: Timestamp?, Precision)
    case list
    case end(UUIDv7)

    private static let until = Form("until", .end)
    private static let thing: Form<(SharedThing, until: Timestamp?)> =
        .cases("what", of: SharedThing.self) { what in
            switch what {
            case .position: until.map { (what, $0) }
            case .journey: until.ifPresent.map { (what, $0) }
            }
        }

    static let creation = Form(
        thing, Form("precision", .choice(of: Precision.self)).or(.exact)
    ) { thing, precision in ShareCommand.create(thing.0, until: thing.until, precision) }
}

/// What a link shows.
public enum SharedThing: String, Hashable, Sendable, CaseIterable {
    /// Where the person is.
    case position
    /// The journey that the person was on when the link was made: where they are, where to, and
    /// when they should be there.
    case journey
}

extension TokenSecret {
    /// For whoever is given the link.
    public var link: String { text }
}
