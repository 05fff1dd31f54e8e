public import Tracking

/// A program that sees what a group sees, by a token that a member has given it: every member sees
/// it in the group, and can end it.
public struct Observer: Hashable, Sendable {
    public let id: UUIDv7
    /// The name chosen by its creator.
    public let name: String
    /// The member who created it; it ends when they leave the group.
    public let by: Name
    public let since: Timestamp

    public init(id: UUIDv7, name: String, by: Name, since: Timestamp) {
        (self.id, self.name, self.by, self.since) = (id, name, by, since)
    }

    static let payload = Payload<Observer>(
        .init("observer", .uuid) { $0.id },
        .init("name", .text) { $0.name },
        .init("by", .name) { $0.by },
        .init("since", .time) { $0.since })
}
