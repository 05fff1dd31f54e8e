internal import JSON
public import Tracking

/// A person's position for the friends who may see it; retained on the user's `location` topic.
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
