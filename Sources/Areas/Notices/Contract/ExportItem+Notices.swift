internal import JSON

extension ExportItem {
    public static func notice(_ notice: Notice, isSeen: Bool) -> ExportItem {
        ExportItem("notice") { json in
            json.key("notice")
            json.raw(notice.payload(isSeen: isSeen))
        }
    }
}
