import Contract
import MQTT
import Store
import Tracking

/// What makes two requests of a device the same: what the device calls it, its method, and its
/// content.
struct RequestKey: Hashable, Sendable {
    /// What the device calls it (its id, or its correlation data), and a space.
    let name: String
    /// Method and content, where that may be kept.
    let request: String
    /// Only an answer from before this moment counts; nil: any.
    let answeredBefore: Timestamp?

    var text: String { name + request }
}

extension Turn {
    /// Without id and correlation data, a message that was delivered again because its
    /// acknowledgement got lost can be known by its packet identifier and its content, though not
    /// for sure: a broker that was killed gives the same identifiers again. So that is asked only
    /// where doing it twice would make something twice; anything else has to be done rather than
    /// not.
    ///
    /// A call for help is the same whatever position comes along, and as long as its SOS goes on.
    /// After that only what the broker delivers again is: an app that counts its requests from 1
    /// calls anew under the same id.
    func requestKey(
        _ message: Message, _ method: String, _ request: Request, _ received: Received,
        from person: Person
    ) -> RequestKey? {
        if let name = name(of: message, request) {
            guard method == Turn.call else {
                // Of a password nothing is kept, not even what it adds up to.
                let content = Method.named(method)?.hasPassword == true ? [] : message.payload
                return RequestKey(
                    name: name, request: "\(method):\(Turn.digest([content]))",
                    answeredBefore: nil)
            }
            let goesOn = person.tracker.emergency != nil
            return RequestKey(
                name: name, request: method,
                answeredBefore: goesOn ? nil : received.listeningSince)
        }
        guard message.packetID > 0, Method.named(method)?.effect == .makes else { return nil }
        return RequestKey(
            name: "packet:\(message.packetID) ",
            request: Turn.digest([Array(message.topic.utf8), message.payload]),
            answeredBefore: received.listeningSince)
    }

    private func name(of message: Message, _ request: Request) -> String? {
        if let id = request.id {
            var json = JSONWriter(capacity: 64)
            json.value(id)
            return "id:" + String(decoding: json.bytes, as: UTF8.self) + " "
        }
        return message.correlationData.map { data in
            "correlation:" + data.map { String($0, radix: 16) }.joined(separator: ".") + " "
        }
    }

    private static func digest(_ parts: [[UInt8]]) -> String {
        var digest = FNV1a()
        for part in parts { digest.combine(part) }
        return String(digest.value, radix: 16)
    }

    func earlierReply(_ key: RequestKey, _ device: Device, _ received: Received)
        throws(StoreError) -> [UInt8]?
    {
        if let end = key.answeredBefore, received.at > end + Turn.longestRedelivery { return nil }
        let payload = try transaction.reply(
            to: key.text, of: device.id, before: key.answeredBefore)
        guard let payload, memory.mentions.contains(where: { $0.isIn(payload) }) else {
            return payload
        }
        // It speaks of somebody who is being erased.
        try transaction.deleteReply(to: key.text, of: device.id)
        return nil
    }

    /// Whether the device has used the id for another request within a day. For a call for help
    /// that does not count.
    func standsForAnother(_ key: RequestKey?, _ device: Device, _ party: Requester.Party)
        throws(StoreError) -> Bool
    {
        guard let key, key.request != Turn.call, key.answeredBefore == nil else { return false }
        if isUnderway(party, { $0.name == key.name && $0.request != key.request }) { return true }
        return try transaction.hasReply(toAnyOf: key.name, of: device.id)
    }

    static let idAlreadyUsed = Problem(
        .idAlreadyUsed,
        "Another request had this id, or this correlation data, within a day. Use a new one.")

    /// What was not acknowledged comes again as the first of a connection. Later the same packet
    /// identifier with the same content is a new request: a restarted broker counts from 1.
    private static let longestRedelivery = Duration.seconds(60)
}
