public import JSON

/// A group's members; retained on the group's topic.
public struct GroupMessage: Sendable {
    public var group: GroupKey
    public var name: String
    /// The members in the order of joining.
    public var members: [(user: Name, name: String)]
    /// Oldest first.
    public var observers: [Observer]

    public init(
        group: GroupKey, name: String, members: [(user: Name, name: String)],
        observers: [Observer] = []
    ) {
        self.group = group
        self.name = name
        self.members = members
        self.observers = observers
    }

    public var payload: [UInt8] {
        JSONWriter.object { $0.group(self) }
    }
}

/// A user's groups; retained on the user's `groups` topic.
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
    /// Writes the members of the object.
    public mutating func group(_ message: GroupMessage) {
        key("group")
        string(message.group.text)
        key("name")
        string(message.name)
        key("members")
        array(message.members) { json, member in
            json.object { json in
                json.key("user")
                json.string(member.user.text)
                json.key("name")
                json.string(member.name)
            }
        }
        guard !message.observers.isEmpty else { return }
        key("observers")
        array(message.observers) { json, observer in json.object { $0.observer(observer) } }
    }

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
