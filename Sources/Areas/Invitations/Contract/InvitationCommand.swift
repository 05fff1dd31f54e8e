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

    /// How often a link may be used.
    public static let uses: ClosedRange<Int64> = 1...100
    public static let usualLifetime = Duration.seconds(7 * 86_400)
    public static let shortestLifetime = Duration.seconds(60)
    public static let longestLifetime = Duration.seconds(30 * 86_400)

    static func add(_ fields: inout Fields) -> InvitationCommand? {
        let group = fields.group()
        let invitee = invitee(&fields)
        guard let group, let invitee else { return nil }
        return .add(group, invitee)
    }

    static func invite(_ fields: inout Fields, _ circumstances: Method.Circumstances)
        -> InvitationCommand?
    {
        let group = fields.group()
        let isForAnybody = fields["user"] == nil && fields["email"] == nil
        let invitee = isForAnybody ? nil : invitee(&fields)
        let uses = fields.integer(ifPresent: "uses", in: uses)
        if !isForAnybody, let uses, uses > 1 { fields.refuse("uses", "must be 1 for one person") }
        let expires = fields.time(ifPresent: "expires")
        let now = circumstances.now
        if let expires, expires < now + shortestLifetime || expires > now + longestLifetime {
            fields.refuse("expires", "must lie a minute to 30 days in the future")
        }
        guard let group, isForAnybody || invitee != nil else { return nil }
        return .invite(
            group, invitee, uses: Int(uses ?? 1), expiresAt: expires ?? now + usualLifetime)
    }

    private static func invitee(_ fields: inout Fields) -> Invitee? {
        if fields["user"] == nil, fields["email"] != nil {
            return fields.email("email").map { .email($0) }
        }
        return fields.name("user").map { .user($0) }
    }

    static func list(_ fields: inout Fields) -> InvitationCommand? {
        guard fields["group"] != nil else { return .list(nil) }
        return fields.group().map { .list($0) }
    }

    static func accept(_ fields: inout Fields) -> InvitationCommand? {
        if fields["invitation"] != nil {
            return fields.uuid("invitation").map { .accept(.id($0)) }
        }
        return fields.invitationToken().map { .accept(.token($0)) }
    }

    static func revoke(_ fields: inout Fields) -> InvitationCommand? {
        let (group, id) = (fields.group(), fields.uuid("invitation"))
        guard let group, let id else { return nil }
        return .revoke(group, id)
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

extension Fields {
    mutating func invitationToken() -> InvitationToken? {
        string("token").map { InvitationToken($0) }
    }
}
