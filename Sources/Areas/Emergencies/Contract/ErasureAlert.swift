internal import JSON
public import Tracking

/// Informs a group that the account of a member in an SOS has been deleted, without naming them.
public struct ErasureAlert: Sendable {
    public let id: UUIDv7
    public let group: GroupKey

    public init(id: UUIDv7, group: GroupKey) {
        self.id = id
        self.group = group
    }

    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.key("id")
            json.string(id.description)
            json.key("kind")
            json.string("sos-account-deleted")
            json.key("group")
            json.string(group.text)
            json.key("at")
            json.time(id.time)
            json.key("text")
            json.string(
                "The account of a user in an SOS has been deleted. No one has said that they are "
                    + "safe.")
            json.key("acknowledgedBy")
            json.array([Name]()) { $0.string($1.text) }
        }
    }
}
