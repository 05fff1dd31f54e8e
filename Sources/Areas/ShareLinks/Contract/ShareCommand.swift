public import Tracking

/// A device's requests about its user's share links.
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

/// The thing that a link shows.
public enum SharedThing: String, Hashable, Sendable, CaseIterable {
    /// The person's position.
    case position
    /// The journey that the person was on when the link was created: their position, the
    /// destination and the planned time of arrival.
    case journey
}

extension TokenSecret {
    /// The text for the link's holder.
    public var link: String { text }
}

/// The requests about share links from clients that are not logged in.
public enum ShareGuestCommand: AreaGuestCommand {
    case open(TokenSecret, visitor: String?)

    public var visitor: String? { if case .open(_, let visitor) = self { visitor } else { nil } }
}
