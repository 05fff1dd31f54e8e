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

    init?(_ fields: inout Fields) {
        text = fields.line(ifPresent: "text", atMost: Place.longestName)
        kind = fields.line(ifPresent: "kind", atMost: Place.longestKind)
        near = fields["near"] == nil ? nil : fields.nested("near") { $0.coordinate() }
        radius = fields.number(ifPresent: "radius", in: PlaceQuery.radius)
        if radius != nil, fields["near"] == nil { fields.refuse("near", "is missing") }
        isOpen = fields.bool(ifPresent: "open") ?? false
        after = fields.string(ifPresent: "after")
    }
}

/// What of a place depends on the time.
public enum OpenState: String, Hashable, Sendable {
    case open, closed
    /// It does not say, or not in a way that is understood.
    case unknown
}
