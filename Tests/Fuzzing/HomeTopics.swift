import HomeAssistant
import JSON

/// What a group publishes to Home Assistant, and what is retained there from earlier.
///
/// Each line is a message of the group: a topic, a space and its payload. With an `=` before the
/// topic it is one that Home Assistant's broker retains; a line of `.` ends the observer.
enum HomeTopics {
    private static let group = "FamilyFamilyFamily_-09"
    private static let maximumLines = 64

    static func run(_ bytes: [UInt8]) throws {
        var exporter = Exporter(
            ExporterTopics(discovery: "homeassistant", group: group),
            source: "kith/groups/\(group)",
            version: "1")
        /// By their topics.
        var retained: [String: [UInt8]] = [:]
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: maximumLines)
        for line in lines.prefix(maximumLines) {
            if line.elementsEqual(".".utf8) {
                try take(exporter.withdrawAll(), into: &retained)
                continue
            }
            let parts = line.split(
                separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
            let topic = String(decoding: parts[0], as: UTF8.self)
            let payload = parts.count > 1 ? Array(parts[1]) : []
            if topic.hasPrefix("=") {
                try take(exporter.note(earlier: String(topic.dropFirst())), into: &retained)
            } else {
                try take(exporter.take(topic, payload), into: &retained)
            }
        }
        try take(exporter.withdrawAll(), into: &retained)
        try expect(retained.isEmpty, "in the end everything is taken back")
        try expect(exporter.withdrawAll().isEmpty, "it is taken back once")
    }

    private static func take(
        _ messages: [ExporterMessage], into retained: inout [String: [UInt8]]
    ) throws {
        for message in messages {
            let isOwn =
                message.topic.hasPrefix("kith-home/\(group)/")
                || message.topic.hasPrefix("homeassistant/")
            try expect(isOwn, "only Home Assistant's topics are published")
            // Other states are words.
            let isObject =
                message.topic.hasSuffix("/config") || message.topic.hasSuffix("/position")
            try expect(
                !isObject || message.payload.isEmpty
                    || JSONValue(parsing: message.payload, isOurs: true) != nil,
                "a configuration or position is JSON")
            retained[message.topic] = message.payload.isEmpty ? nil : message.payload
        }
    }
}
