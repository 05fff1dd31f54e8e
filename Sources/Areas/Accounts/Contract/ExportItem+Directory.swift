public import Tracking

extension ExportItem {
    /// A person's identity in their organisation's directory.
    ///
    /// - Parameter entry: identifies the directory's entry.
    public static func directory(login: String, entry: String, confirmedAt: Timestamp) -> ExportItem
    {
        ExportItem("directory") { json in
            json.member("login", login)
            json.member("entry", entry)
            json.member("confirmedAt", confirmedAt)
        }
    }
}
