/// How a reader watches events.
enum ReadingWay {
    case mqtt
    /// An event stream.
    case page
}

extension BenchSite {
    /// Subscribes to a topic.
    ///
    /// - Parameter buffer: the size in bytes of the kernel's buffers; nil for the usual size.
    func watch(_ filter: String, _ user: String, by way: ReadingWay, buffer: Int32? = nil) throws
        -> RawClient
    {
        switch way {
        case .mqtt:
            let client = try enter(user, buffer: buffer)
            client.sendSubscribe(filter, qos: 1)
            return client
        case .page:
            let client = RawClient()
            try client.open(pagePort, buffer: buffer)
            let topic = filter.replacing("+", with: "%2B")
            client.sendText(
                "GET /api/events?topic=\(topic) HTTP/1.1\r\nHost: bench\r\n"
                    + "Authorization: Bearer \(token(of: user))\r\n\r\n")
            return client
        }
    }
}
