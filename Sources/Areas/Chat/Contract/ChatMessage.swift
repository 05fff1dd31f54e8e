internal import JSON
public import Tracking

/// A message in a group's chat: written by a member, or by the service about a member (contract,
/// section 5).
public struct ChatMessage: Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case message
        /// This and the following are written by the service.
        case joined
        /// The member left, or was removed.
        case left
        case online
        case offline
        case renamed

        /// Whether it reports that a member came online or went offline.
        public var isPresence: Bool { self == .online || self == .offline }
    }

    /// The author of the message, or the person it is about.
    public struct Person: Hashable, Sendable {
        public let user: Name
        public let name: String

        public init(user: Name, name: String) {
            self.user = user
            self.name = name
        }
    }

    /// Increases from message to message, so that all members see the same order.
    public var id: UUIDv7
    public var group: GroupKey
    public var kind: Kind
    /// The time by the server's clock; earlier than the previous message's if the clock was set
    /// back.
    public var at: Timestamp
    /// Nil if the account has been deleted, and the text with it.
    public var from: Person?
    /// The text of a message, the new name of a renamed group, or how a member left (``Leaving``);
    /// otherwise nil.
    public var words: String?

    /// The ways of leaving, stored as the words of ``Kind/left``.
    public enum Leaving: String, Sendable { case left, removed }

    /// Whether a member was removed by another; nil in messages of an earlier Kith, which did not
    /// record it.
    public var isRemoval: Bool? {
        guard kind == .left else { return nil }
        return words.flatMap { Leaving(rawValue: $0) }.map { $0 == .removed }
    }

    public init(
        id: UUIDv7, group: GroupKey, kind: Kind, at: Timestamp, from: Person?,
        words: String? = nil
    ) {
        self.id = id
        self.group = group
        self.kind = kind
        self.at = at
        self.from = from
        self.words = words
    }

    /// The text of a message, or a sentence for people.
    public var text: String? {
        guard let name = from?.name else { return nil }
        return switch kind {
        case .message: words
        case .joined: "\(name) is in the group now."
        case .left:
            switch isRemoval {
            case true?: "\(name) was removed from the group."
            case false?: "\(name) has left the group."
            case nil: "\(name) is no longer in the group."
            }
        case .online: "\(name) is online."
        case .offline: "\(name) has gone offline."
        case .renamed: "\(name) has renamed the group to \(words ?? "something else")."
        }
    }

    public static let payload = Payload<ChatMessage>(
        "ChatMessage",
        .init("id", .uuid) { $0.id },
        .init("group", .group) { $0.group },
        .init("kind", .choice) { $0.kind },
        .init("from", .name) { $0.from?.user },
        .init("name", .text) { $0.from?.name },
        .init("at", .time) { $0.at },
        .init("removed", .boolean) { $0.isRemoval },
        .init("text", .text) { $0.text })

    public var payload: [UInt8] { ChatMessage.payload.bytes(of: self) }

    /// Removes the author and the text from a message if it is by that user.
    ///
    /// - Returns: nil if it is by another user, or is not a chat message.
    public static func withoutAuthor(_ payload: [UInt8], if user: Name) -> [UInt8]? {
        guard let value = JSONValue(parsing: payload, isOurs: true),
            case .object(let members) = value, value["from"] == .string(user.text)
        else {
            return nil
        }
        var json = JSONWriter(capacity: payload.count)
        json.value(.object(members.filter { !["from", "name", "text"].contains($0.key) }))
        return json.bytes
    }
}
