public import Tracking

/// An invitation as the group's members see it.
public struct OpenInvitation: Sendable {
    public let id: UUIDv7
    public let by: Name
    /// Nil for a link.
    public let invitee: InvitationCommand.Invitee?
    public let uses: Int
    public let used: Int
    public let at: Timestamp
    public let expiresAt: Timestamp

    public init(
        id: UUIDv7, by: Name, invitee: InvitationCommand.Invitee?, uses: Int, used: Int,
        at: Timestamp, expiresAt: Timestamp
    ) {
        (self.id, self.by, self.invitee) = (id, by, invitee)
        (self.uses, self.used, self.at, self.expiresAt) = (uses, used, at, expiresAt)
    }
}

/// An invitation as its addressee sees it.
public struct ReceivedInvitation: Sendable {
    public let id: UUIDv7
    /// The group's name.
    public let name: String
    public let by: (user: Name, name: String)
    public let members: Int
    public let at: Timestamp
    public let expiresAt: Timestamp

    public init(
        id: UUIDv7, name: String, by: (user: Name, name: String), members: Int, at: Timestamp,
        expiresAt: Timestamp
    ) {
        (self.id, self.name, self.by) = (id, name, by)
        (self.members, self.at, self.expiresAt) = (members, at, expiresAt)
    }
}

extension OpenInvitation {
    static let payload = Payload<OpenInvitation>(
        .init("invitation", .uuid) { $0.id },
        .init("by", .name) { $0.by },
        .init("user", .name) { if case .user(let name)? = $0.invitee { name } else { nil } },
        .init("email", .text) {
            if case .email(let email)? = $0.invitee { email.text } else { nil }
        },
        .init("uses", .count) { $0.uses },
        .init("used", .count) { $0.used },
        .init("at", .time) { $0.at },
        .init("expiresAt", .time) { $0.expiresAt })
}

/// The results of requests about invitations.
public enum InvitationResult {
    public static let added = Payload<(group: GroupMessage, isInvited: Bool)>(
        .members(of: GroupMessage.payload) { $0.group },
        .flag("invited") { $0.isInvited })

    /// - `secret`: of a link; nil in the answer to a repeated request.
    public static let created =
        Payload<(id: UUIDv7, expiresAt: Timestamp, uses: Int, secret: TokenSecret?)>(
            .init("invitation", .uuid) { $0.id },
            .init("expiresAt", .time) { $0.expiresAt },
            .init("uses", .count) { $0.uses },
            .init("token", .text) { $0.secret?.invitation },
            // Behind the `#` it never reaches a server, and so no log.
            .init("path", .text) { $0.secret.map { "/#/invitation/\($0.invitation)" } })

    public static let ofGroup = Payload<[OpenInvitation]>(
        .init("invitations", .list(of: .object(OpenInvitation.payload))) { $0 })

    public static let received = Payload<[ReceivedInvitation]>(
        .init(
            "invitations",
            .list(
                of: .object(
                    .init("invitation", .uuid) { $0.id },
                    .init("name", .text) { $0.name },
                    .init("by", .name) { $0.by.user },
                    .init("byName", .text) { $0.by.name },
                    .init("members", .count) { $0.members },
                    .init("at", .time) { $0.at },
                    .init("expiresAt", .time) { $0.expiresAt }))
        ) { $0 })

    public static let shown = Payload<Shown>(
        .init("name", .text) { $0.group.name },
        .init("inviter", .text) { $0.inviter },
        .init("members", .count) { $0.group.members.count },
        .init("observers", .list(of: .text)) { $0.group.observers.map(\.name) },
        .init("expiresAt", .time) { $0.expiresAt },
        .init("group", .group) { $0.isMember ? $0.group.group : nil })

    /// - `isMember`: whether the reader is in the group.
    public typealias Shown = (
        group: GroupMessage, inviter: String, expiresAt: Timestamp, isMember: Bool
    )
}
