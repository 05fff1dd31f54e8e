internal import JSON

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

    public static let payload = Payload<GroupMessage>(
        .init("group", .group) { $0.group },
        .init("name", .text) { $0.name },
        .init(
            "members",
            .list(of: .object(.init("user", .name) { $0.user }, .init("name", .text) { $0.name }))
        ) { $0.members },
        .init("observers", .list(of: .object(Observer.payload))) {
            $0.observers.isEmpty ? nil : $0.observers
        })

    public var payload: [UInt8] { GroupMessage.payload.bytes(of: self) }
}

/// A user's groups; retained on the user's `groups` topic.
public struct UserGroupsMessage: Sendable {
    public var groups: [(group: GroupKey, name: String)]

    public init(groups: [(group: GroupKey, name: String)]) { self.groups = groups }

    static let kind = WrittenKind<[(group: GroupKey, name: String)]>.list(
        of: .object(
            .init("group", .group) { $0.group },
            .init("name", .text) { $0.name },
            .init("role", .choice(of: ["member"])) { _ in "member" }))

    public var payload: [UInt8] { JSONWriter.value { UserGroupsMessage.kind.write(groups, &$0) } }
}
