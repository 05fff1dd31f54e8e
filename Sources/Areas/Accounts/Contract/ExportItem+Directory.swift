public import Tracking

extension ExportItem {
    /// Who somebody is in their organisation's directory.
    ///
    /// - Parameter entry: by what the directory's entry is recognised.
    public static func directory(login: String, entry: String, confirmedAt: Timestamp) -> ExportItem
    {
        ExportItem("directory") { json in
            json.member("login", login)
            json.member("entry", entry)
            json.member("confirmedAt", confirmedAt)
        }
    }
}
