#if DEBUG
import JSON
import MQTT
import NIOCore

@testable import Web

/// The readers of events on a visitor's connection, and what the broker sends to it, in any order.
///
/// Each line is a letter and the rest:
///
///     o 7-2 kith/groups/a/# b    opens a stream, after an event or `-`, of these filters
///     g, x                       the broker grants the first requested filter, or refuses it
///     m kith/groups/a {"a":1}    a message; M: it was retained
///     c 0                        the reader with this number leaves
///     r                          the connection was lost, and is back
///     t 30                       this many seconds pass
enum EventReading {
    private static let maximumLines = 96

    static func run(_ bytes: [UInt8]) throws {
        for isForAnybody in [false, true] {
            var broker = Broker(isForAnybody: isForAnybody)
            let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: maximumLines)
            for line in lines.prefix(maximumLines) {
                try broker.take(line)
            }
            try broker.end()
        }
    }

    /// A reader that has opened a stream, and its outcome.
    private final class Box {
        var streams: [EventStream] = []
        /// How often each was answered.
        var answers: [Int] = []
    }

    private struct Broker {
        private static let epoch: UInt64 = 7

        private let box = Box()
        private var subscriptions: EventSubscriptions
        private var renderer = Renderer()
        private var now = Duration.zero
        private var lastID: Int32 = 0
        /// The requests that are not answered yet.
        private var asked: [Connection.SubscriptionID] = []

        init(isForAnybody: Bool) {
            var limits = WebSettings.Limits()
            limits.streamsOfVisitor = 3
            limits.history = 4
            limits.filtersOfVisitor = 12
            limits.backlog = 2_000
            subscriptions = EventSubscriptions(
                epoch: Broker.epoch, limits, isForAnybody: isForAnybody)
        }

        mutating func take(_ line: ArraySlice<UInt8>) throws {
            let words = line.split(
                separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
            let kind = String(decoding: words[0], as: UTF8.self)
            let first = words.count > 1 ? String(decoding: words[1], as: UTF8.self) : ""
            let rest = words.count > 2 ? Array(words[2]) : []
            switch kind {
            case "o":
                let filters = String(decoding: rest, as: UTF8.self).split(separator: " ")
                try open(filters.map { String($0) }, after: first)
            case "g": answer(true)
            case "x": answer(false)
            case "m", "M": tell(first, rest, retain: kind == "M")
            case "c":
                guard let number = Int(first), box.streams.indices.contains(number) else { return }
                subscriptions.remove(box.streams[number], at: now)
            case "r":
                asked = []
                for filter in subscriptions.reopen() { ask(filter) }
            case "t": pass(.seconds(min(Int64(first) ?? 0, 100)))
            default: break
            }
            try expect(
                subscriptions.filters.count <= subscriptions.limits.filtersOfVisitor,
                "filters have a bound")
        }

        /// Answers every waiting reader, and checks what was read.
        mutating func end() throws {
            subscriptions.fail(.noBroker, at: now)
            subscriptions.end()
            try expect(box.answers.allSatisfy { $0 == 1 }, "each is answered, and once")
            let streams = box.streams
            let texts = try waiting { await EventReading.read(streams) }
            for text in texts { try check(text) }
        }

        // MARK: Lines

        private mutating func open(_ filters: [String], after text: String) throws {
            let last = EventID(text)
            if let last {
                try expect(EventID(last.text) == last, "an id reads as it is printed")
            }
            // As the routes check them.
            var seen: Set<String> = []
            let wanted = filters.filter { TopicFilter($0).isValid && seen.insert($0).inserted }
            guard !wanted.isEmpty, subscriptions.hasRoom(for: wanted) else { return }
            let box = box
            let number = box.answers.count
            box.answers.append(0)
            let mode = subscriptions.open(
                EventStream(wanted, backlog: subscriptions.limits.backlog), wanted, after: last,
                at: now
            ) { result in
                box.answers[number] += 1
                if case .success(let stream) = result { box.streams.append(stream) }
            }
            if mode != .none { for filter in wanted { ask(filter) } }
        }

        private mutating func ask(_ filter: String) {
            lastID += 1
            asked.append(.init(rawValue: lastID))
            subscriptions.expectAnswer(.init(rawValue: lastID), about: filter)
        }

        private mutating func answer(_ granted: Bool) {
            guard !asked.isEmpty else { return }
            let again = subscriptions.answered(asked.removeFirst(), granted: granted, at: now)
            for filter in again { ask(filter) }
        }

        /// A broker forwards no topic with wildcards or without letters.
        private mutating func tell(_ topic: String, _ payload: [UInt8], retain: Bool) {
            guard !topic.isEmpty, !topic.utf8.contains(where: { "+#\0".utf8.contains($0) }) else {
                return
            }
            subscriptions.take(
                Message(topic: topic, payload: payload, retain: retain), at: now, &renderer)
        }

        private mutating func pass(_ duration: Duration) {
            now += max(.zero, duration)
            subscriptions.expire(at: now)
            subscriptions.beat(at: now)
            _ = subscriptions.takeUnused(at: now)
        }

        // MARK: Invariants

        /// The text of a stream (HTML, 9.2).
        private func check(_ bytes: [UInt8]) throws {
            try expect(
                bytes.count <= subscriptions.limits.backlog, "what waits has a bound")
            var last: UInt64 = 0
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                let text = String(decoding: line, as: UTF8.self)
                if text.hasPrefix("id: ") {
                    guard let id = EventID(String(text.dropFirst(4))) else {
                        throw Finding("an id can be read")
                    }
                    try expect(
                        id.epoch == Broker.epoch && id.number >= last, "ids go up")
                    last = id.number
                } else if text.hasPrefix("data: ") {
                    // A payload is nested as deeply as it may be, and here one level more.
                    let isDeep = line.count { "[{".utf8.contains($0) } > 32
                    try expect(
                        isDeep || JSONValue(parsing: Array(line.dropFirst(6)), isOurs: true) != nil,
                        "each event's data is JSON")
                } else {
                    try expect(
                        ["event: reset", "event: heartbeat", "event: refused"].contains(text),
                        "nothing begins another line")
                }
            }
        }
    }

    /// The bytes that wait in each.
    private static func read(_ streams: [EventStream]) async -> [[UInt8]] {
        var texts: [[UInt8]] = []
        for stream in streams {
            stream.end()
            var bytes: [UInt8] = []
            while let parts = await stream.next() {
                for part in parts { bytes += Array(part.readableBytesView) }
            }
            texts.append(bytes)
        }
        return texts
    }
}
#endif
