internal import JSON
public import Tracking

/// A link as its owner sees it.
public struct ShareLink: Sendable {
    public let id: UUIDv7
    public let what: SharedThing
    public let at: Timestamp
    public let until: Timestamp
    public let opened: Int
    public let openedAt: Timestamp?

    public init(
        id: UUIDv7, what: SharedThing, at: Timestamp, until: Timestamp, opened: Int,
        openedAt: Timestamp?
    ) {
        (self.id, self.what, self.at, self.until) = (id, what, at, until)
        (self.opened, self.openedAt) = (opened, openedAt)
    }

    static let payload = Payload<ShareLink>(
        .init("share", .uuid) { $0.id },
        .init("what", .choice) { $0.what },
        .init("at", .time) { $0.at },
        .init("until", .time) { $0.until },
        .init("opened", .count) { $0.opened },
        .init("openedAt", .time) { $0.openedAt })
}

/// The results of requests about share links.
public enum ShareResult {
    /// - `secret`: nil in the answer to a repeated request.
    public static let created = Payload<(link: ShareLink, secret: TokenSecret?)>(
        .init("share", .uuid) { $0.link.id },
        .init("what", .choice) { $0.link.what },
        .init("until", .time) { $0.link.until },
        .init("token", .text) { $0.secret?.link },
        // Behind the `#` it never reaches a server, and so no log.
        .init("path", .text) { $0.secret.map { "/share.html#\($0.link)" } })

    public static let list = Payload<[ShareLink]>(
        .init("shares", .list(of: .object(ShareLink.payload))) { $0 })

    /// - `topic`: where the link's view is published.
    public static let opened = Payload<(share: UUIDv7, topic: String, token: PrincipalToken)>(
        .init("share", .uuid) { $0.share },
        .init("topic", .text) { $0.topic },
        .init("username", .text) { $0.token.username },
        .init("token", .text) { $0.token.text })
}

extension ExportItem {
    /// - Parameter endedAt: nil if it is still active.
    public static func share(_ link: ShareLink, endedAt: Timestamp?) -> ExportItem {
        ExportItem("share") { json in
            json.members(ShareLink.payload, link)
            if let endedAt { json.member("endedAt", endedAt) }
        }
    }
}
