import Contract
import JSON
import Testing

@testable import Bridge

extension World {
    /// Sends a chat message, which must be accepted.
    @discardableResult
    func say(_ who: Sender, _ text: String, in group: String = "family") throws -> JSONValue {
        let reply = try ask(who, "chat.send", #"{"group":"$\#(group)","text":"\#(text)"}"#)
        return try #require(reply["result"]?["message"], "\(reply.outcome)")
    }

    /// A page of the history, one line per message.
    func history(_ who: Sender, _ more: String = "", of group: String = "family") throws -> [String]
    {
        try page(who, more, of: group).messages.map(\.chatWords)
    }

    func page(_ who: Sender, _ more: String = "", of group: String = "family") throws
        -> (messages: [JSONValue], next: String?)
    {
        let reply = try ask(who, "chat.history", #"{"group":"$\#(group)"\#(more)}"#)
        let result = try #require(reply["result"], "\(reply.outcome)")
        return (result["messages"]?.elements ?? [], result["next"]?.text)
    }

    /// The messages published on a group's chat since the last call.
    func chat(of group: String = "family") -> [JSONValue] {
        published().filter { $0.topic == topics.string(.chat(names[group])) }.map {
            .read($0.payload)
        }
    }
}

extension JSONValue {
    /// `ann: Hello`, `ann joined`
    var chatWords: String {
        let who = self["from"]?.text ?? "somebody"
        let kind = self["kind"]?.text ?? "?"
        return kind == "message" ? "\(who): \(self["text"]?.text ?? "–")" : "\(who) \(kind)"
    }
}
