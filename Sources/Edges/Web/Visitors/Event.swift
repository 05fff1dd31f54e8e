internal import Contract
internal import JSON
internal import MQTT
internal import NIOCore

/// An event for a reader, as the text of server-sent events (HTML, 9.2).
struct Event {
    /// The lines without the id, which differs on each connection, but with the empty line that
    /// ends an event. All readers share them.
    let lines: ByteBuffer
    let topic: String

    /// `{"topic":…,"payload":…,"retain":…}`: the payload as it is if it is JSON, null if it is
    /// empty, otherwise as a string.
    init(_ message: Message) {
        let json = JSONWriter.object { json in
            json.key("topic")
            json.string(message.topic)
            json.key("payload")
            Event.write(message.payload, to: &json)
            json.key("retain")
            json.bool(message.retain)
        }
        lines = ByteBuffer(bytes: Array("data: ".utf8) + json + Array("\n\n".utf8))
        topic = message.topic
    }

    private static func write(_ payload: [UInt8], to json: inout JSONWriter) {
        guard !payload.isEmpty else { return json.null() }
        do throws(JSONError) {
            _ = try JSONValue.parse(payload, isOurs: true)
        } catch {
            return json.string(String(decoding: payload, as: UTF8.self))
        }
        // Strings contain no raw line breaks, and outside of strings a line break is equivalent to
        // a space; here it would end the line.
        json.raw(payload.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
    }

    /// Signals that events may have been missed.
    static let reset = ByteBuffer(string: "event: reset\ndata: {}\n\n")
    /// An event rather than a comment, since scripts in a browser do not see comments.
    static let heartbeat = ByteBuffer(string: "event: heartbeat\ndata: {}\n\n")

    /// Signals that the broker no longer grants the filter.
    static func refused(_ filter: String) -> ByteBuffer {
        let json = JSONWriter.object { json in
            json.key("topic")
            json.string(filter)
        }
        return ByteBuffer(
            bytes: Array("event: refused\ndata: ".utf8) + json + Array("\n\n".utf8))
    }
}

/// A reader's position in the events of a visitor connection.
struct EventID: Hashable, Sendable {
    /// Distinguishes the successive connections of a visitor.
    let epoch: UInt64
    let number: UInt64

    init(epoch: UInt64, number: UInt64) {
        self.epoch = epoch
        self.number = number
    }

    init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = UInt64(parts[0], radix: 36),
            let number = UInt64(parts[1], radix: 36)
        else { return nil }
        self.init(epoch: epoch, number: number)
    }

    var text: String { String(epoch, radix: 36) + "-" + String(number, radix: 36) }

    /// The id line before an event's lines.
    var line: ByteBuffer { ByteBuffer(string: "id: \(text)\n") }
}
