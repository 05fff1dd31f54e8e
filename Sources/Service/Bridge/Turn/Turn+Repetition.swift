import Contract
import JSON
import MQTT
import Store
import Tracking

/// The key that identifies equal requests of a device: the name given by the device, the method,
/// and the content.
struct RequestKey: Hashable, Sendable {
    /// The device's name for the request (its id, or its correlation data), and a space.
    let name: String
    /// The method and the content, as far as that may be stored.
    let request: String
    /// Only an answer from before this moment counts; nil if any does.
    let answeredBefore: Timestamp?

    var text: String { name + request }
}

extension Turn {
    /// Returns the key of the request; nil if repetitions of it are not recognised.
    ///
    /// Without id and correlation data, a message that is redelivered because its acknowledgement
    /// got lost can be recognised by its packet identifier and its content, though not with
    /// certainty: a broker that was killed assigns the same identifiers again. So this is used only
    /// for requests that would create something twice; anything else is better done twice than not
    /// at all.
    ///
    /// Calls for help are equal regardless of the attached position, as long as their SOS lasts; an
    /// SOS because of vital signs is not the person's call. After that only a redelivery by the
    /// broker is equal: an app that counts its requests from 1 makes a new call under the same id.
    func requestKey(
        _ message: Message, _ method: String, _ request: Request, _ received: Received,
        from person: Person
    ) -> RequestKey? {
        if let name = name(of: message, request) {
            guard method == Turn.call else {
                // Nothing about a password is stored, not even a digest.
                let content = Method.named(method)?.hasPassword == true ? [] : message.payload
                return RequestKey(
                    name: name, request: "\(method):\(Turn.digest([content]))",
                    answeredBefore: nil)
            }
            let goesOn = person.tracker.hasCalled
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

    /// Returns the key by which a guest's login is recognised if the broker redelivers it after a
    /// crash, and only then: guests may use the same client id and request ids each time.
    func requestKey(_ message: Message, _ request: Request, from guest: ClientID) -> RequestKey? {
        let packet = message.packetID > 0 ? "packet:\(message.packetID)" : nil
        guard let name = name(of: message, request) ?? packet else { return nil }
        return RequestKey(
            name: "guest:\(guest.text) ", request: name, answeredBefore: listeningSince)
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
        throws -> [UInt8]?
    {
        if let end = key.answeredBefore, received.at > end + Turn.longestRedelivery { return nil }
        let payload = try transaction.reply(
            to: key.text, of: device.id, before: key.answeredBefore)
        guard let payload, memory.mentions.contains(where: { $0.isIn(payload) }) else {
            return payload
        }
        // It mentions a person who is being erased.
        try transaction.deleteReply(to: key.text, of: device.id)
        return nil
    }

    /// Returns whether the device has used the id for another request within a day; always false
    /// for a call for help.
    func standsForAnother(_ key: RequestKey?, _ device: Device, _ party: Requester.Party)
        throws -> Bool
    {
        guard let key, key.request != Turn.call, key.answeredBefore == nil else { return false }
        if isUnderway(party, { $0.name == key.name && $0.request != key.request }) {
            return true
        }
        return try transaction.hasReply(toAnyOf: key.name, of: device.id)
    }

    /// Returns whether the party still waits for the answer to such a request.
    func isUnderway(_ party: Requester.Party, _ isMeant: (RequestKey) -> Bool) -> Bool {
        decisions.repeats {
            waitingWork.contains { work in
                work.requester.party == party && work.requester.key.map(isMeant) == true
            }
        }
    }

    static let idAlreadyUsed = Problem(
        .idAlreadyUsed,
        "A different request had this id, or this correlation data, within the last day. Use a new one."
    )

    /// Unacknowledged messages are redelivered first on a new connection. Later on, the same packet
    /// identifier with the same content is a new request: a restarted broker counts from 1.
    private static let longestRedelivery = Duration.seconds(60)
}
