public import JSON
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

extension JSONWriter {
    public mutating func invitation(_ invitation: OpenInvitation) {
        object { json in
            json.member("invitation", invitation.id.description)
            json.member("by", invitation.by.text)
            switch invitation.invitee {
            case .user(let name)?: json.member("user", name.text)
            case .email(let email)?: json.member("email", email.text)
            case nil: break
            }
            json.key("uses")
            json.number(invitation.uses)
            json.key("used")
            json.number(invitation.used)
            json.member("at", invitation.at)
            json.member("expiresAt", invitation.expiresAt)
        }
    }

    public mutating func invitation(_ invitation: ReceivedInvitation) {
        object { json in
            json.member("invitation", invitation.id.description)
            json.member("name", invitation.name)
            json.member("by", invitation.by.user.text)
            json.member("byName", invitation.by.name)
            json.key("members")
            json.number(invitation.members)
            json.member("at", invitation.at)
            json.member("expiresAt", invitation.expiresAt)
        }
    }
}
