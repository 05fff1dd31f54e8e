public import JSON
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
}

extension JSONWriter {
    public mutating func share(_ link: ShareLink) { object { $0.shareMembers(link) } }

    mutating func shareMembers(_ link: ShareLink) {
        member("share", link.id.description)
        member("what", link.what.rawValue)
        member("at", link.at)
        member("until", link.until)
        key("opened")
        number(link.opened)
        if let openedAt = link.openedAt { member("openedAt", openedAt) }
    }
}

extension ExportItem {
    /// - Parameter endedAt: nil if it is still active.
    public static func share(_ link: ShareLink, endedAt: Timestamp?) -> ExportItem {
        ExportItem("share") { json in
            json.shareMembers(link)
            if let endedAt { json.member("endedAt", endedAt) }
        }
    }
}
