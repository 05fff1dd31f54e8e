internal import JSON
public import Tracking

/// A message for channels: the texts and the data.
///
/// A webhook gets all of it. A browser and a mail get the texts, with a position no more precise
/// than the city: servers read mails on the way, and a locked screen is visible to anyone who holds
/// the phone.
public struct ChannelMessage: Hashable, Sendable {
    /// An id that is the same for all receivers, and different for each repetition of an alert:
    /// receivers can use it to drop duplicates.
    public let id: String
    public let kind: String
    public let title: String
    public let text: String
    public let at: Timestamp
    /// The page's view that shows it, as a fragment: `#alerts`.
    public let view: String
    /// The alert that can be acknowledged.
    public let alert: UUIDv7?
    /// The alert or the notice as MQTT clients receive it, an object.
    public let data: [UInt8]?

    public init(
        id: String, kind: String, title: String, text: String, at: Timestamp, view: String,
        alert: UUIDv7? = nil, data: [UInt8]? = nil
    ) {
        (self.id, self.kind, self.title, self.text) = (id, kind, title, text)
        (self.at, self.view, self.alert, self.data) = (at, view, alert, data)
    }

    /// Returns the message with another text.
    public func worded(_ text: String) -> ChannelMessage {
        ChannelMessage(
            id: id, kind: kind, title: title, text: text, at: at, view: view,
            alert: alert, data: data)
    }

    /// The payload for a webhook: `{id,kind,at,title,text,view,alert?,data?}`.
    public var payload: [UInt8] { payload(withData: true, for: nil) }

    /// Returns the payload for a browser: without ``data``, and with `user`, since another user may
    /// be logged in there when it is tapped.
    public func words(for user: Name) -> [UInt8] { payload(withData: false, for: user) }

    private func payload(withData: Bool, for user: Name?) -> [UInt8] {
        JSONWriter.object { json in
            if let user {
                json.key("user")
                json.string(user.text)
            }
            json.key("id")
            json.string(id)
            json.key("kind")
            json.string(kind)
            json.key("at")
            json.time(at)
            json.key("title")
            json.string(title)
            json.key("text")
            json.string(text)
            json.key("view")
            json.string(view)
            if let alert {
                json.key("alert")
                json.string(alert.description)
            }
            if withData, let data {
                json.key("data")
                json.raw(data)
            }
        }
    }
}
