internal import JSON

extension ExportItem {
    /// - Parameter address: the endpoint, the address or the URL.
    public static func channel(_ channel: Channel, address: String) -> ExportItem {
        ExportItem("channel") { json in
            json.members(ChannelResult.channel, channel)
            json.key("address")
            json.string(address)
        }
    }
}
