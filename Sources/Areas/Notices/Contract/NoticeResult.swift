public import Tracking

/// The results of requests about notices, and about what is unread.
public enum NoticeResult {
    public static let list = Payload<(page: WrittenPage, unread: Int)>(
        .members(of: .page("notices", of: Notice.payload)) { $0.page },
        .members(of: seen) { $0.unread })

    public static let seen = Payload<Int>(.init("unread", .count) { $0 })

    public static let seenInGroup = Payload<UnreadMessage>(
        .init("unread", .object(UnreadMessage.payload)) { $0 })

    public static let unread = Payload<(total: UnreadMessage, groups: [Group])>(
        .members(of: UnreadMessage.payload) { $0.total },
        .init(
            "groups",
            .list(
                of: .object(
                    .init("group", .group) { $0.group },
                    .init("alerts", .count) { $0.alerts },
                    .init("chat", .count) { $0.chat },
                    .init("alertsThrough", .orNull(.uuid)) { $0.alertsThrough },
                    .init("chatThrough", .orNull(.uuid)) { $0.chatThrough }))
        ) { $0.groups })

    /// - `alertsThrough`, `chatThrough`: the newest that count as seen; nil if none.
    public typealias Group = (
        group: GroupKey, alerts: Int, chat: Int, alertsThrough: UUIDv7?, chatThrough: UUIDv7?
    )
}
