public import Tracking

/// What a device may ask for about invitations.
public enum InvitationCommand: AreaCommand {
    /// Add somebody at once if they want that, and invite them otherwise.
    case add(GroupKey, Invitee)
    /// Invite somebody, or, if nil, whoever has the link.
    case invite(GroupKey, Invitee?, uses: Int, expiresAt: Timestamp)
    /// The open invitations of a group; nil: those for the user.
    case list(GroupKey?)
    case get(InvitationToken)
    case accept(Choice)
    case decline(UUIDv7)
    case revoke(GroupKey, UUIDv7)

    /// The person who is to come into a group.
    public enum Invitee: Hashable, Sendable {
        case user(Name)
        case email(EmailAddress)
    }

    /// The invitation that is meant.
    public enum Choice: Hashable, Sendable {
        case token(InvitationToken)
        /// One that is addressed to the user.
        case id(UUIDv7)
    }

    public static let usualLifetime = Duration.seconds(7 * 86_400)

    private static let user = Form("user", .name).map { Invitee.user($0) }
    private static let email = Form("email", .email).map { Invitee.email($0) }

    static let addition = Form(Form.group, .either(user, email)) { InvitationCommand.add($0, $1) }

    private static let uses: ClosedRange<Int64> = 1...100
    private typealias Addressed = (to: Invitee?, uses: Int)
    private static let addressed: Form<Addressed> = Form<Addressed>.either(
        Form("uses", .number(uses), "usually 1").or(1).map { (nil, Int($0)) },
        user.map { ($0, 1) }, email.map { ($0, 1) }
    ).reading { addressed, fields, _ in
        if addressed.to != nil, let uses = fields.integer(ifPresent: "uses", in: uses), uses > 1 {
            fields.refuse("uses", "must be 1 for one person")
        }
        return addressed
    }
    private static let end = Form("expires", .end, "usually in a week").ifPresent
        .reading { end, _, circumstances in end ?? circumstances.now + usualLifetime }

    static let invitation = Form(Form.group, addressed, end) { group, addressed, end in
        InvitationCommand.invite(group, addressed.to, uses: addressed.uses, expiresAt: end)
    }
}

/// What somebody presents as the token of an invitation. Whatever it is, the answer is the same
/// unless it is one.
///
/// Its description reveals nothing, so that it appears in no log.
public struct InvitationToken: Hashable, Sendable, CustomStringConvertible {
    /// Nil if no invitation can have it.
    public let secret: TokenSecret?

    public init(_ text: String) { secret = TokenSecret(text) }
    public init(_ secret: TokenSecret) { self.secret = secret }

    public var description: String { "a token" }
}

extension TokenSecret {
    /// For whoever is invited.
    public var invitation: String { text }
}

extension Kind where Value == InvitationToken {
    static let invitation = Kind<String>.text.map { InvitationToken($0) }
}
