public import Tracking

/// Users' requests about places of the organisation.
public enum PlaceCommand: AreaCommand {
    case list(PlaceQuery)
    case get(Name)
}

/// The criteria of a search.
public struct PlaceQuery: Sendable {
    /// A part of the name, the kind, the description or the address.
    public let text: String?
    public let kind: String?
    /// Sorts the nearest first.
    public let near: Coordinate?
    /// Metres.
    public let radius: Double?
    /// Only places that are open now.
    public let isOpen: Bool
    /// `next` of the previous page.
    public let after: String?

    public static let radius = 1.0...20_100_000

    static let form = Form(
        Form(
            "text", .line(atMost: Place.longestName),
            "a part of the name, kind, description or address"
        ).ifPresent,
        Form("kind", .line(atMost: Place.longestKind)).ifPresent,
        // A radius needs a centre.
        Form(
            Form("near", .object(.coordinate)),
            Form("radius", .number(radius), "metres around `near`").ifPresent
        ) { (near: $0, radius: $1) }.ifPresent,
        Form("open", .boolean, "only places that are open now").or(false),
        Form("after", .text, "`next` of the previous page").ifPresent
    ) { text, kind, area, isOpen, after in
        PlaceQuery(
            text: text, kind: kind, near: area?.near, radius: area?.radius, isOpen: isOpen,
            after: after)
    }
}

/// Whether a place is open at a moment.
public enum OpenState: String, Hashable, Sendable, CaseIterable {
    case open, closed
    /// There are no opening hours, or they are not understood.
    case unknown
}
