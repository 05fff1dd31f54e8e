public import Tracking

/// What may be asked for about places of the organisation.
public enum PlaceCommand: AreaCommand {
    case list(PlaceQuery)
    case get(Name)
}

/// Which places somebody looks for.
public struct PlaceQuery: Sendable {
    /// A part of the name, the kind, the description or the address.
    public let text: String?
    public let kind: String?
    /// Then the nearest come first.
    public let near: Coordinate?
    /// In metres.
    public let radius: Double?
    /// Only those that are open now.
    public let isOpen: Bool
    /// What `next` of the page before was.
    public let after: String?

    public static let radius = 1.0...20_100_000

    static let form = Form(
        Form(
            "text", .line(atMost: Place.longestName),
            "a part of the name, kind, description or address"
        ).ifPresent,
        Form("kind", .line(atMost: Place.longestKind)).ifPresent,
        // A radius needs a place around which it is.
        Form(
            Form("near", .object(.coordinate)),
            Form("radius", .number(radius), "metres around `near`").ifPresent
        ) { (near: $0, radius: $1) }.ifPresent,
        Form("open", .boolean, "only those that are open now").or(false),
        Form("after", .text, "`next` of the page before").ifPresent
    ) { text, kind, area, isOpen, after in
        PlaceQuery(
            text: text, kind: kind, near: area?.near, radius: area?.radius, isOpen: isOpen,
            after: after)
    }
}

/// What of a place depends on the time.
public enum OpenState: String, Hashable, Sendable {
    case open, closed
    /// It does not say, or not in a way that is understood.
    case unknown
}
