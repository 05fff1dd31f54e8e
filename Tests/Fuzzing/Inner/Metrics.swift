#if DEBUG
import Contract
import MQTT

@testable import Web

/// What `GET /metrics` answers, from what the broker has sent.
///
/// Each line is a message: its topic below `kith/system/`, a space, its payload. A `!` before the topic:
/// it was retained. A line of `+` and a number: this many seconds pass; a line of `?`: a request.
enum Metrics {
    private static let maximumLines = 96
    private static let topics = TopicSpace()

    static func read(_ bytes: [UInt8]) throws {
        var readings = MetricReadings()
        let box = Box()
        var now = Duration.zero
        var asked = 0
        readings.begin(at: now)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: maximumLines)
        for line in lines.prefix(maximumLines) {
            if line.elementsEqual("?".utf8) {
                asked += 1
                readings.read(at: now, until: now + .seconds(5)) { box.answers.append($0) }
            } else if line.first == UInt8(ascii: "+") {
                let text = String(decoding: line.dropFirst(), as: UTF8.self)
                now += .seconds(min(max(Int64(text) ?? 0, 0), 100))
                readings.expire(at: now, isVerified: true)
            } else {
                readings.take(message(line), topics, at: now)
            }
        }
        readings.fail(.noBroker, isVerified: true)
        try expect(box.answers.count == asked, "each is answered, and once")
        for case .success(let reading) in box.answers { try check(reading) }
    }

    private final class Box {
        var answers: [Result<MetricReading, Refusal>] = []
    }

    private static func message(_ line: ArraySlice<UInt8>) -> Message {
        let isRetained = line.first == UInt8(ascii: "!")
        let parts = line.dropFirst(isRetained ? 1 : 0)
            .split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
        return Message(
            topic: "kith/system/" + String(decoding: parts.first ?? [], as: UTF8.self),
            payload: parts.count > 1 ? Array(parts[1]) : [], retain: isRetained)
    }

    private static func check(_ reading: MetricReading) throws {
        var text = PrometheusText()
        for (name, value) in reading.values { text.add(name, value) }
        if let reason = reading.reasonForDegradation {
            text.add("bridge-degraded", 1, ["reason": reason])
        }
        var known: Set<[UInt8]> = []
        for line in text.text.utf8.split(separator: UInt8(ascii: "\n")) {
            let line = Array(line)
            if ["# HELP kith_", "# TYPE kith_"].contains(where: { line.starts(with: $0.utf8) }) {
                continue
            }
            guard let name = series(of: line) else {
                throw Finding("a line is a sample, or about one")
            }
            try expect(known.insert(name).inserted, "each sample is there once")
        }
    }

    // MARK: Prometheus' text format, 0.0.4

    /// The name and the labels of a sample; nil if the line is not one.
    private static func series(of line: [UInt8]) -> [UInt8]? {
        var rest = line.drop { isLetter($0) }
        guard line.starts(with: "kith_".utf8) else { return nil }
        if rest.first == UInt8(ascii: "{") {
            rest = rest.dropFirst()
            while rest.first != UInt8(ascii: "}") {
                guard let others = afterLabel(rest) else { return nil }
                rest = others
            }
            rest = rest.dropFirst()
        }
        guard rest.first == UInt8(ascii: " "), rest.count > 1,
            !rest.dropFirst().contains(UInt8(ascii: " "))
        else { return nil }
        return Array(line.prefix(line.count - rest.count))
    }

    /// What follows the first label, and its comma; nil if that is not a label.
    private static func afterLabel(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = text.drop { isLetter($0) }
        guard rest.count < text.count, rest.starts(with: "=\"".utf8) else { return nil }
        rest = rest.dropFirst(2)
        while let byte = rest.first, byte != UInt8(ascii: "\"") {
            rest = rest.dropFirst(byte == UInt8(ascii: "\\") ? 2 : 1)
        }
        guard !rest.isEmpty else { return nil }
        rest = rest.dropFirst()
        return rest.first == UInt8(ascii: ",") ? rest.dropFirst() : rest
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
#endif
