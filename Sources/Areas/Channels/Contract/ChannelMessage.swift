internal import JSON
public import Tracking

/// What is sent on channels: the words, and what they are about.
///
/// A webhook gets all of it. A browser and a mail get what stands in it for people, and of a position
/// at most the city around it: a mail is read by servers on the way, and a locked screen by whoever
/// holds the phone.
public struct ChannelMessage: Hashable, Sendable {
    /// The same for everybody who gets it, and for each repetition of an alert another: known
    /// repetitions can be left out by it.
    public let id: String
    public let kind: String
    public let title: String
    public let text: String
    public let at: Timestamp
    /// The view of the page that shows it, as a fragment: `#alerts`.
    public let view: String
    /// The alert that can be acknowledged.
    public let alert: UUIDv7?
    /// The alert or the notice as MQTT clients get it, an object.
    public let data: [UInt8]?

    public init(
        id: String, kind: String, title: String, text: String, at: Timestamp, view: String,
        alert: UUIDv7? = nil, data: [UInt8]? = nil
    ) {
        (self.id, self.kind, self.title, self.text) = (id, kind, title, text)
        (self.at, self.view, self.alert, self.data) = (at, view, alert, data)
    }

    /// The same in other words.
    public func worded(_ text: String) -> ChannelMessage {
        ChannelMessage(
            id: id, kind: kind, title: title, text: text, at: at, view: view,
            alert: alert, data: data)
    }

    /// As a webhook gets it: `{id,kind,at,title,text,view,alert?,data?}`.
    public var payload: [UInt8] { payload(withData: true, for: nil) }

    /// As a browser gets it: without ``data``, and with `user`. Somebody else may be logged in there
    /// when it is pressed.
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
