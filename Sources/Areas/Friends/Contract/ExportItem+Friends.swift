public import Tracking

extension ExportItem {
    /// A friend on the person's list, and since when they have seen the person's position.
    public static func friend(_ user: Name, addedAt: Timestamp, sharedSince: Timestamp?)
        -> ExportItem
    {
        ExportItem("friend") { json in
            json.member("user", user.text)
            json.member("addedAt", addedAt)
            if let sharedSince { json.member("sharedSince", sharedSince) }
        }
    }

    public static func blocked(_ user: Name, at: Timestamp) -> ExportItem {
        ExportItem("blocked") { json in
            json.member("user", user.text)
            json.member("at", at)
        }
    }
}
