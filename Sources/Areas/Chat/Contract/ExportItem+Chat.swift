import JSON

extension ExportItem {
    /// A message that the person wrote.
    public static func message(_ message: ChatMessage) -> ExportItem {
        ExportItem("message") { json in
            json.key("message")
            json.raw(message.payload)
        }
    }
}
