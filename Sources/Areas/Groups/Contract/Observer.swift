public import JSON
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
}

extension JSONWriter {
    /// Writes the members of the object.
    public mutating func observer(_ observer: Observer) {
        member("observer", observer.id.description)
        member("name", observer.name)
        member("by", observer.by.text)
        member("since", observer.since)
    }
}
