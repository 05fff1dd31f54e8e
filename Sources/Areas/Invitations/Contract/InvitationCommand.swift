public import Tracking

/// A device's requests about invitations.
public enum InvitationCommand: AreaCommand {
    /// Adds a user immediately if their settings allow it, otherwise invites them.
    case add(GroupKey, Invitee)
    /// Invites a user, or creates a link if nil.
    case invite(GroupKey, Invitee?, uses: Int, expiresAt: Timestamp)
    /// The open invitations to a group; nil for those of the user.
    case list(GroupKey?)
    case get(InvitationToken)
    case accept(Choice)
    case decline(UUIDv7)
    case revoke(GroupKey, UUIDv7)

    /// The person to be added or invited.
    public enum Invitee: Hashable, Sendable {
        case user(Name)
        case email(EmailAddress)
    }

    /// The selected invitation.
    public enum Choice: Hashable, Sendable {
        case token(InvitationToken)
        /// An invitation addressed to the user.
        case id(UUIDv7)
    }

    public static let usualLifetime = Duration.seconds(7 * 86_400)

    private static let user = Form("user", .name).map { Invitee.user($0) }
    private static let email = Form("email", .email).map { Invitee.email($0) }

    static let addition = Form(Form.group, .either(user, email)) { InvitationCommand.add($0, $1) }

    private static let uses: ClosedRange<Int64> = 1...100
    private typealias Addressed = (to: Invitee?, uses: Int)
    private static let addressed: Form<Addressed> = Form<Addressed>.either(
        Form("uses", .number(uses), "default 1").or(1).map { (nil, Int($0)) },
        user.map { ($0, 1) }, email.map { ($0, 1) }
    ).reading { addressed, fields, _ in
        if addressed.to != nil, let uses = fields.integer(ifPresent: "uses", in: uses), uses > 1 {
            fields.refuse("uses", "must be 1 for one person")
        }
        return addressed
    }
    private static let end = Form("expires", .end, "default: in a week").ifPresent
        .reading { end, _, circumstances in end ?? circumstances.now + usualLifetime }

    static let invitation = Form(Form.group, addressed, end) { group, addressed, end in
        InvitationCommand.invite(group, addressed.to, uses: addressed.uses, expiresAt: end)
    }
}

/// A presented token of an invitation. All invalid ones get the same answer.
///
/// Its description reveals nothing, so that it appears in no log.
public struct InvitationToken: Hashable, Sendable, CustomStringConvertible {
    /// Nil if it cannot belong to an invitation.
    public let secret: TokenSecret?

    public init(_ text: String) { secret = TokenSecret(text) }
    public init(_ secret: TokenSecret) { self.secret = secret }

    public var description: String { "a token" }
}

extension TokenSecret {
    /// The text for the invitee.
    public var invitation: String { text }
}

extension Kind where Value == InvitationToken {
    static let invitation = Kind<String>.text.map { InvitationToken($0) }
}

/// The requests about invitations from clients that are not logged in.
public enum InvitationGuestCommand: AreaGuestCommand {
    /// Shows who invites and to which group.
    case get(InvitationToken, visitor: String?)

    public var visitor: String? { if case .get(_, let visitor) = self { visitor } else { nil } }
}
