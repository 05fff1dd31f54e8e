public import Contract
public import Tracking

/// A stored link.
public struct ShareLinkRow: Hashable, Sendable {
    public let id: UUIDv7
    public let user: UserID
    public let what: SharedThing
    /// The path number of the journey shown.
    public let journey: Int64?
    public let precision: Precision
    public let salt: TokenSecret
    public let at: Timestamp
    public var until: Timestamp
    public var opened = 0
    public var openedAt: Timestamp?
    /// The end of the journey, if it has ended.
    public var journeyEnd: SharedView.End?
    /// The time at which it was ended, or expired.
    public var endedAt: Timestamp?

    public init(
        id: UUIDv7, user: UserID, what: SharedThing, journey: Int64?, precision: Precision,
        salt: TokenSecret, at: Timestamp, until: Timestamp
    ) {
        (self.id, self.user, self.what, self.journey) = (id, user, what, journey)
        (self.precision, self.salt, self.at, self.until) = (precision, salt, at, until)
    }

    static let record = Record<ShareLinkRow>(
        "share_links",
        Column("id", .id, \.id), Column("user_id", .number, \.user),
        Column("what", .word(of: SharedThing.self), \.what),
        Column("journey", .null(or: .integer), \.journey),
        Column("precision", .word(of: Precision.self), \.precision),
        Column("salt", .secret, \.salt), Column("at_ms", .time, \.at),
        Column("until_ms", .time, \.until), Column("opened", .count, \.opened),
        Column("opened_at_ms", .null(or: .time), \.openedAt),
        Column("journey_end", .null(or: .word(of: SharedView.End.self)), \.journeyEnd),
        Column("ended_at_ms", .null(or: .time), \.endedAt)
    ) {
        id, user, what, journey, precision, salt, at, until, opened, openedAt, journeyEnd, endedAt
        in
        var row = ShareLinkRow(
            id: id, user: user, what: what, journey: journey, precision: precision, salt: salt,
            at: at, until: until)
        (row.opened, row.openedAt) = (opened, openedAt)
        (row.journeyEnd, row.endedAt) = (journeyEnd, endedAt)
        return row
    }

    /// The link as its owner sees it.
    public var link: ShareLink {
        ShareLink(id: id, what: what, at: at, until: until, opened: opened, openedAt: openedAt)
    }
}

extension ColumnType where Value == TokenSecret {
    fileprivate static let secret = ColumnType(text: { TokenSecret($0) }, \.stored)
}
