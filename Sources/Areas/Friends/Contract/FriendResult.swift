public import Tracking

/// The results of requests about friends.
public enum FriendResult {
    public static let friend = Payload<Friend>(
        .init("user", .name) { $0.user },
        .init("name", .text) { $0.name },
        .init("avatar", .text) { $0.avatar },
        .init("addedAt", .time) { $0.addedAt },
        .init("sharedSince", .time) { $0.sharedSince },
        .init("visibleSince", .time) { $0.visibleSince })

    /// - `name`, `avatar`: nil unless the friend also has the reader on their list: then the reader
    ///   knows them already.
    /// - `sharedSince`: since when the friend sees the reader's position.
    /// - `visibleSince`: since when the reader sees the friend's position.
    public typealias Friend = (
        user: Name, name: String?, avatar: String?, addedAt: Timestamp, sharedSince: Timestamp?,
        visibleSince: Timestamp?
    )

    public static let added = Payload<Friend>(.init("friend", .object(friend)) { $0 })

    public static let shared = Payload<(watchers: [Name], fix: Fix?)>(
        .init("watchers", .list(of: .name)) { $0.watchers },
        .init("fix", .orNull(.fix)) { $0.fix })

    /// - `isStoring`: whether later fixes are stored.
    /// - `kept`: the number of fixes that are still stored.
    public static let turnedOff = Payload<(isStoring: Bool, kept: Int, deleted: Deleted)>(
        .init("storing", .boolean) { $0.isStoring },
        .init("kept", .object(.init("fixes", .count) { $0 })) { $0.kept },
        .init(
            "deleted",
            .object(
                .init("locations", .count) { $0.locations },
                .init("friends", .count) { $0.friends },
                .init("links", .count) { $0.links },
                .init("services", .count) { $0.services },
                .init("runs", .count) { $0.runs },
                .init("groups", .list(of: .group)) { $0.groups })
        ) { $0.deleted })

    /// - `groups`: those that saw where the person was.
    public typealias Deleted = (
        locations: Int, friends: Int, links: Int, services: Int, runs: Int, groups: [GroupKey]
    )
}
