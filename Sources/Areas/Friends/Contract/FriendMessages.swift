internal import JSON
public import Tracking

/// A person's position for the friends with whom it is shared; retained on the user's `location`
/// topic.
public struct LocationMessage: Sendable {
    public var user: Name
    public var name: String
    public var fix: Fix

    public init(user: Name, name: String, fix: Fix) {
        self.user = user
        self.name = name
        self.fix = fix
    }

    /// A Fix with `user` and `name`.
    public var payload: [UInt8] {
        var json = JSONWriter(capacity: 384)
        json.object { json in
            json.key("user")
            json.string(user.text)
            json.key("name")
            json.string(name)
            json.fixMembers(fix)
        }
        return json.bytes
    }
}

/// A notice to one user about what another has done: `friend-added`, `location-shared`.
public struct FriendNotice: Sendable {
    public var id: UUIDv7
    public var kind: Notice.Kind
    public var user: Name
    public var name: String

    public init(id: UUIDv7, kind: Notice.Kind, user: Name, name: String) {
        self.id = id
        self.kind = kind
        self.user = user
        self.name = name
    }

    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.noticeHead(id, kind)
            json.key("user")
            json.string(user.text)
            json.key("name")
            json.string(name)
        }
    }
}

/// A reminder to a user who has been sharing for a long time without doing anything about it.
public struct SharingReminder: Sendable {
    public var id: UUIDv7
    /// When the user last made a request, began to share, or was reminded.
    public var since: Timestamp
    /// The groups that see the user's position.
    public var groups: [GroupKey]
    /// The number of friends who see it.
    public var friends: Int

    public init(id: UUIDv7, since: Timestamp, groups: [GroupKey], friends: Int) {
        self.id = id
        self.since = since
        self.groups = groups
        self.friends = friends
    }

    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.noticeHead(id, .sharingReminder)
            json.key("since")
            json.time(since)
            json.key("groups")
            json.array(groups) { $0.string($1.text) }
            json.key("friends")
            json.number(friends)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func noticeHead(_ id: UUIDv7, _ kind: Notice.Kind) {
        key("id")
        string(id.description)
        key("kind")
        string(kind.rawValue)
        key("at")
        time(id.time)
    }
}
