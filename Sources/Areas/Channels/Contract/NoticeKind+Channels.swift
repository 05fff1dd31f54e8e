internal import JSON
internal import Languages

extension NoticeKind {
    static let channelAdded = channel("channel-added", says: .channelAdded)
    static let channelRemoved = channel("channel-removed", says: .channelRemoved)
    static let channelLost = channel("channel-lost", says: .channelLost)

    private static func channel(_ name: String, says text: ServerText) -> NoticeKind {
        NoticeKind(name, [.text("label", as: "label")], share: .account, says: .text(text))
    }
}

extension Notice.News {
    /// An address or a webhook was added as a channel, or removed.
    public static func channel(label: String, isAdded: Bool) -> Notice.News {
        .init(isAdded ? .channelAdded : .channelRemoved, ["label": .string(label)])
    }

    /// A browser no longer has a subscription, so nothing can be sent to it.
    public static func channelLost(label: String) -> Notice.News {
        .init(.channelLost, ["label": .string(label)])
    }
}
