public import Contract
public import Tracking

/// A stored invitation.
public struct InvitationRow: Hashable, Sendable {
    public let id: UUIDv7
    public let group: GroupID
    public let by: UserID
    /// The invitee as named by the inviter; nil for a link.
    public let invitee: InvitationCommand.Invitee?
    /// The user whom it reached when that was decided; nil if none.
    public var user: UserID?
    /// Whether it reached the user; nil if undecided, and for links.
    public var isTold: Bool?
    public let uses: Int
    public var used: Int
    public let at: Timestamp
    public let expiresAt: Timestamp
    /// The time of its revocation, or of its last use.
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
    /// The stored form: a name has no `@`, an address has one. All spellings of an address are
    /// equal.
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
