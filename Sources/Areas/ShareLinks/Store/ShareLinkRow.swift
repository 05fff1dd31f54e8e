public import Contract
public import Tracking

/// A link as stored.
public struct ShareLinkRow: Hashable, Sendable {
    public let id: UUIDv7
    public let user: UserID
    public let what: SharedThing
    /// The number of the path of the journey that is shown.
    public let journey: Int64?
    public let precision: Precision
    public let salt: TokenSecret
    public let at: Timestamp
    public var until: Timestamp
    public var opened = 0
    public var openedAt: Timestamp?
    /// How the journey ended, if it has.
    public var journeyEnd: SharedView.End?
    /// When it was ended, or had to end.
    public var endedAt: Timestamp?

    public init(
        id: UUIDv7, user: UserID, what: SharedThing, journey: Int64?, precision: Precision,
        salt: TokenSecret, at: Timestamp, until: Timestamp
    ) {
        (self.id, self.user, self.what, self.journey) = (id, user, what, journey)
        (self.precision, self.salt, self.at, self.until) = (precision, salt, at, until)
    }

    init(_ row: any SQLRow) throws(StoreError) {
        guard let id = UUIDv7(try row.text(0)), let what = SharedThing(rawValue: try row.text(2)),
            let salt = TokenSecret(try row.text(4)),
            let precision = Precision(rawValue: try row.text(11))
        else { throw ShareLinkRow.damaged }
        self.init(
            id: id, user: UserID(rawValue: try row.integer(1)), what: what,
            journey: try row.optionalInteger(3), precision: precision, salt: salt,
            at: Timestamp(milliseconds: try row.integer(5)),
            until: Timestamp(milliseconds: try row.integer(6)))
        opened = Int(try row.integer(7))
        openedAt = try row.optionalTime(8)
        if let text = try row.optionalText(9) {
            guard let end = SharedView.End(rawValue: text) else { throw ShareLinkRow.damaged }
            journeyEnd = end
        }
        endedAt = try row.optionalTime(10)
    }

    private static let damaged = StoreError(.decode, reason: "a link is damaged")

    static let columns = """
        id, user_id, what, journey, salt, at_ms, until_ms, opened, opened_at_ms, journey_end,
        ended_at_ms, precision
        """

    /// As its owner sees it.
    public var link: ShareLink {
        ShareLink(id: id, what: what, at: at, until: until, opened: opened, openedAt: openedAt)
    }
}
