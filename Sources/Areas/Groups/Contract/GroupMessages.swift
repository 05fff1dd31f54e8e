public import JSON
public import Tracking

/// The members of a group; retained on the group's topic.
public struct GroupMessage: Sendable {
    public var group: GroupKey
    public var name: String
    /// In the order in which they joined.
    public var members: [(user: Name, name: String)]

    public init(group: GroupKey, name: String, members: [(user: Name, name: String)]) {
        self.group = group
        self.name = name
        self.members = members
    }

    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.key("group")
            json.string(group.text)
            json.key("name")
            json.string(name)
            json.key("members")
            json.array(members) { json, member in
                json.object { json in
                    json.key("user")
                    json.string(member.user.text)
                    json.key("name")
                    json.string(member.name)
                }
            }
        }
    }
}

/// The groups of one user; retained on the user's `groups` topic.
public struct UserGroupsMessage: Sendable {
    public var groups: [(group: GroupKey, name: String)]

    public init(groups: [(group: GroupKey, name: String)]) { self.groups = groups }

    public var payload: [UInt8] {
        var json = JSONWriter()
        json.userGroups(self)
        return json.bytes
    }
}

extension JSONWriter {
    public mutating func userGroups(_ message: UserGroupsMessage) {
        array(message.groups) { json, entry in
            json.object { json in
                json.key("group")
                json.string(entry.group.text)
                json.key("name")
                json.string(entry.name)
                json.key("role")
                json.string("member")
            }
        }
    }
}

/// A notice to one user about something that concerns them.
public struct Notice: Sendable {
    public enum Kind: String, Sendable {
        case addedToGroup = "added-to-group"
        case removedFromGroup = "removed-from-group"
        case friendAdded = "friend-added"
        case locationShared = "location-shared"
        case sharingReminder = "sharing-reminder"
    }

    public var id: UUIDv7
    public var kind: Kind
    public var group: GroupKey
    public var groupName: String
    /// The person who did it; nil: the operator.
    public var by: Name?
    /// Whether a journey of the user ended as a result, because no other group followed it.
    public var endsJourney = false

    public init(id: UUIDv7, kind: Kind, group: GroupKey, groupName: String, by: Name?) {
        self.id = id
        self.kind = kind
        self.group = group
        self.groupName = groupName
        self.by = by
    }

    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.key("id")
            json.string(id.description)
            json.key("kind")
            json.string(kind.rawValue)
            json.key("at")
            json.time(id.time)
            json.key("group")
            json.string(group.text)
            json.key("name")
            json.string(groupName)
            if let by {
                json.key("by")
                json.string(by.text)
            }
            if endsJourney {
                json.key("endsJourney")
                json.bool(true)
            }
        }
    }
}
