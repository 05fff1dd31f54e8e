public import Contract
public import Tracking

/// An invitation as stored.
public struct InvitationRow: Hashable, Sendable {
    public let id: UUIDv7
    public let group: GroupID
    public let by: UserID
    /// Whom the inviter named; nil for a link.
    public let invitee: InvitationCommand.Invitee?
    /// Whom that meant when it was decided whether it reaches them; nil if nobody.
    public var user: UserID?
    /// Whether it has reached them; nil if that is not decided yet, and for links.
    public var isTold: Bool?
    public let uses: Int
    public var used: Int
    public let at: Timestamp
    public let expiresAt: Timestamp
    /// When it was withdrawn, or used for the last time.
    public var endedAt: Timestamp?
    public var declinedAt: Timestamp?

    public init(
        id: UUIDv7, group: GroupID, by: UserID, invitee: InvitationCommand.Invitee?,
        uses: Int, at: Timestamp, expiresAt: Timestamp
    ) {
        (self.id, self.group, self.by) = (id, group, by)
        self.invitee = invitee
        (self.uses, used) = (uses, 0)
        (self.at, self.expiresAt) = (at, expiresAt)
    }

    init(_ row: any SQLRow) throws(StoreError) {
        guard let id = UUIDv7(try row.text(0)) else {
            throw StoreError(.decode, reason: "an invitation is damaged")
        }
        var invitee: InvitationCommand.Invitee?
        if let text = try row.optionalText(3) {
            guard let stored = InvitationCommand.Invitee(stored: text) else {
                throw StoreError(.decode, reason: "an invitation is damaged")
            }
            invitee = stored
        }
        self.init(
            id: id, group: GroupID(rawValue: try row.integer(1)),
            by: UserID(rawValue: try row.integer(2)), invitee: invitee,
            uses: Int(try row.integer(6)), at: Timestamp(milliseconds: try row.integer(8)),
            expiresAt: Timestamp(milliseconds: try row.integer(9)))
        user = try row.optionalInteger(4).map { UserID(rawValue: $0) }
        isTold = try row.optionalInteger(5).map { $0 == 1 }
        used = Int(try row.integer(7))
        endedAt = try row.optionalTime(10)
        declinedAt = try row.optionalTime(11)
    }

    static let columns = """
        id, group_id, by_id, invitee, user_id, told, uses, used, at_ms, expires_at_ms, ended_at_ms,
        declined_at_ms
        """
}

extension InvitationCommand.Invitee {
    /// A name has no `@`, an address has one. Spellings of an address are the same.
    var stored: String {
        switch self {
        case .user(let name): name.text
        case .email(let email): EmailAddress.folded(email.text)
        }
    }

    fileprivate init?(stored text: String) {
        if let name = Name(text) {
            self = .user(name)
            return
        }
        do throws(DisplayName.Reason) {
            self = .email(try EmailAddress(text))
        } catch {
            return nil
        }
    }
}
