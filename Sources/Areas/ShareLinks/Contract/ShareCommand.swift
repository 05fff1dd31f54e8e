public import Tracking

/// What a device may ask for about links that show where its user is.
public enum ShareCommand: AreaCommand {
    /// - `until`: nil for the usual end of a journey's link.
    case create(SharedThing, until: Timestamp?, Precision)
    case list
    case end(UUIDv7)

    public static let shortestLifetime = Duration.seconds(60)
    public static let longestLifetime = Duration.seconds(30 * 86_400)

    static func create(_ fields: inout Fields, _ circumstances: Method.Circumstances)
        -> ShareCommand?
    {
        let what = fields.string("what").flatMap { text in
            let what = SharedThing(rawValue: text)
            if what == nil { fields.refuse("what", "must be position or journey") }
            return what
        }
        let until =
            what == .position ? fields.time("until") : fields.time(ifPresent: "until")
        let now = circumstances.now
        if let until, until < now + shortestLifetime || until > now + longestLifetime {
            fields.refuse("until", "must lie a minute to 30 days in the future")
        }
        let precision = fields["precision"] == nil ? .exact : fields.precision()
        guard let precision, let what, what == .journey || until != nil else { return nil }
        return .create(what, until: until, precision)
    }
}

/// What a link shows.
public enum SharedThing: String, Hashable, Sendable, CaseIterable {
    /// Where the person is.
    case position
    /// The journey that the person was on when the link was made: where they are, where to, and
    /// when they should be there.
    case journey
}

extension GuestCommand {
    static func openShare(_ fields: inout Fields) -> GuestCommand? {
        let (link, visitor) = (fields.link("token"), visitor(&fields))
        return link.map { .openShare($0, visitor: visitor) }
    }
}

extension TokenSecret {
    /// For whoever is given the link.
    public var link: String { text }
}
