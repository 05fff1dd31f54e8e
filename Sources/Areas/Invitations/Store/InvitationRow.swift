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

    static let record = Record<InvitationRow>(
        "invitations",
        Column("id", .id, \.id), Column("group_id", .number, \.group),
        Column("by_id", .number, \.by), Column("invitee", .null(or: .invitee), \.invitee),
        Column("user_id", .null(or: .number), \.user),
        Column("told", .null(or: .flag), \.isTold), Column("uses", .count, \.uses),
        Column("used", .count, \.used), Column("at_ms", .time, \.at),
        Column("expires_at_ms", .time, \.expiresAt),
        Column("ended_at_ms", .null(or: .time), \.endedAt),
        Column("declined_at_ms", .null(or: .time), \.declinedAt)
    ) {
        id, group, by, invitee, user, isTold, uses, used, at, expiresAt, endedAt, declinedAt in
        var row = InvitationRow(
            id: id, group: group, by: by, invitee: invitee, uses: uses, at: at,
            expiresAt: expiresAt)
        (row.user, row.isTold, row.used) = (user, isTold, used)
        (row.endedAt, row.declinedAt) = (endedAt, declinedAt)
        return row
    }
}

extension ColumnType where Value == InvitationCommand.Invitee {
    fileprivate static let invitee = ColumnType(
        text: { InvitationCommand.Invitee(stored: $0) }, \.stored)
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
