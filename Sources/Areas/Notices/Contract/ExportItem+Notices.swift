internal import JSON

extension ExportItem {
    public static func notice(_ notice: Notice, isSeen: Bool) -> ExportItem {
        ExportItem("notice") { json in
            json.key("notice")
            json.object(Notice.payload, (notice, isSeen: isSeen))
        }
    }
}
