import Contract
import JSON
import MQTT
import Store
import Testing
import Tracking

@testable import Bridge

// MARK: Messages

extension World {
    func message(
        _ topic: Topic, _ payload: String, qos: QoS = .atLeastOnce, retain: Bool = false
    ) -> Message {
        Message(
            topic: topics.string(topic), payload: Array(names.expand(payload).utf8), qos: qos,
            retain: retain, packetID: qos == .atMostOnce ? 0 : nextPacketID())
    }

    func fixMessage(_ sender: Sender, _ payload: String) -> Message {
        message(.fix(sender.user, device: sender.device), payload)
    }

    func fixMessage(_ sender: Sender, _ fix: TestFix) -> Message {
        fixMessage(sender, fix.json(at: now))
    }

    func status(_ sender: Sender, _ word: String, retain: Bool = false) -> Message {
        message(.status(sender.user, device: sender.device), word, retain: retain)
    }

    func requestMessage(
        _ sender: Sender, _ method: String, _ payload: String = "", responseTopic: String? = nil,
        correlation: [UInt8]? = nil
    ) -> Message {
        var message = message(
            .request(sender.user, device: sender.device, method: method), payload)
        message.responseTopic = responseTopic
        message.correlationData = correlation
        return message
    }

    /// - Parameter suffix: `event` and the like.
    func ownTracks(
        _ sender: Sender, _ payload: String, suffix: String = "", retain: Bool = false
    ) -> Message {
        message(
            .ownTracks(sender.user, device: sender.device, suffix: suffix), payload,
            retain: retain)
    }
}

/// A fix as the tests describe it: metres along ``Meridian``, taken when it is sent.
struct TestFix {
    var meters: Int
    var secondsAgo = 0.0
    var accuracy: Double?
    var speed: Double?
    var seq: Int64?

    init(
        _ meters: Int, ago seconds: Double = 0, speed: Double? = nil, accuracy: Double? = nil,
        seq: Int64? = nil
    ) {
        self.meters = meters
        self.speed = speed
        secondsAgo = seconds
        self.accuracy = accuracy
        self.seq = seq
    }

    func json(at now: Timestamp) -> String {
        let taken = now.milliseconds - Int64((secondsAgo * 1000).rounded())
        var text = "{\(Meridian.json(meters)),\"timestamp\":\(taken)"
        if let speed { text += ",\"speed\":\(speed)" }
        if let accuracy { text += ",\"accuracy\":\(accuracy)" }
        if let seq { text += ",\"seq\":\(seq)" }
        return text + "}"
    }
}

/// The places of the tests: along the meridian 14.5° E, north from 46° N, in steps of 90 units of
/// 10⁻⁷ degrees, which are a metre there (1.0003 m).
enum Meridian {
    static func json(_ meters: Int) -> String {
        let latitude = Double(460_000_000 + meters * 90) / 1e7
        return "\"latitude\":\(latitude),\"longitude\":14.5"
    }

    static func meters(latitude: Double) -> Int {
        Int(((latitude - 46) * 1e7 / 90).rounded())
    }
}

// MARK: Asking

extension World {
    /// Sends a request and returns the reply.
    @discardableResult
    func ask(_ sender: Sender, _ method: String, _ payload: String = "") throws -> JSONValue {
        try reply(to: requestMessage(sender, method, payload))
    }

    /// The reply to one request, sent in a turn of its own.
    func reply(to request: Message) throws -> JSONValue {
        let replies = try turn([request]).filter {
            if case .replies = topics.parse($0.topic) { return true }
            return false
        }
        #expect(replies.count == 1)
        return replies.first.map { .read($0.payload) } ?? .null
    }

    /// The reply in a few words: `ok`, or the problem's kind, with the fields if it names any.
    func outcome(_ sender: Sender, _ method: String, _ payload: String = "") throws -> String {
        try ask(sender, method, payload).outcome
    }

    func send(_ messages: Message...) throws { try turn(messages) }

    func fix(_ sender: Sender, _ fixes: TestFix...) throws {
        let list = fixes.map { $0.json(at: now) }.joined(separator: ",")
        try turn([fixMessage(sender, fixes.count == 1 ? list : "[\(list)]")])
    }
}

extension JSONValue {
    var outcome: String {
        guard let problem = self["problem"] else { return self["result"] == nil ? "?" : "ok" }
        return problem.problemWords
    }

    /// The fields that a refusal names.
    var wrongFields: [String] {
        self["problem"]?["errors"]?.elements.compactMap { $0["field"]?.text } ?? []
    }

    /// `invalid: eta is missing; groups is missing`
    var problemWords: String {
        let kind = String((self["type"]?.text ?? "?").dropFirst("urn:kith:problem:".count))
        let errors = (self["errors"]?.elements ?? []).map {
            "\($0["field"]?.text ?? "?") \($0["reason"]?.text ?? "?")"
        }
        return errors.isEmpty ? kind : "\(kind): \(errors.joined(separator: "; "))"
    }
}
