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

    static let kind = "sos-account-deleted"

    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.member("id", id.description)
            json.member("kind", ErasureAlert.kind)
            json.member("group", group.text)
            json.member("at", id.time)
            json.member(
                "text",
                "The account of a user in an SOS has been deleted. No one has said that they are "
                    + "safe.")
            json.key("acknowledgedBy")
            json.array { _ in }
        }
    }
}
