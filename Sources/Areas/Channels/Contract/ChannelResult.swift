public import Tracking

/// The results of requests about channels.
public enum ChannelResult {
    public static let channel = Payload<Channel>(.init("channel", .object(Channel.payload)) { $0 })

    /// - `secret`: a webhook's.
    public static let added = Payload<(channel: Channel, secret: String?)>(
        .members(of: channel) { $0.channel },
        .init("secret", .text) { $0.secret })

    public static let list = Payload<List>(
        .init("channels", .list(of: .object(Channel.payload))) { $0.channels },
        .init("offered", .list(of: .choice)) { $0.offered },
        .init(
            "notOffered",
            .list(of: .object(.init("kind", .choice) { $0.kind }, .init("why", .text) { $0.why }))
        ) { $0.notOffered },
        .init("pushKey", .text) { $0.pushKey })

    /// - `pushKey`: identifies the sender of pushes.
    public typealias List = (
        channels: [Channel], offered: [ChannelKind],
        notOffered: [(kind: ChannelKind, why: String)], pushKey: String
    )

    /// What is being sent.
    public static let message = Payload<UUIDv7>(.init("message", .uuid) { $0 })
}
