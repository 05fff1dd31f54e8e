import Synchronization
import TestJSON

/// A message as printed by a stock client.
struct Heard: Sendable {
    let topic: String
    let payload: String
    let isRetained: Bool
    let json: JSON

    /// - Parameter line: in the format of ``Listener/format``; nil for any other.
    init?(_ line: String) {
        let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "0" || parts[0] == "1" else { return nil }
        isRetained = parts[0] == "1"
        topic = String(parts[1])
        payload = String(parts[2])
        json = JSON(parsing: payload)
    }
}

/// A running `mosquitto_sub`, and the messages that it has received.
final class Listener: Sendable {
    /// A retained message, subscribed to last: when it arrives, all other retained messages have
    /// arrived.
    static let marker = "kith/runs/marker"
    private static let format = "%r\t%t\t%p"

    private let program: RunningProgram
    private let memory = Mutex<(read: Int, heard: [Heard])>((0, []))

    /// - Parameter arguments: the broker, the credentials, and any others.
    init(_ arguments: [String], to filters: [String]) {
        let topics = (filters + [Listener.marker]).flatMap { ["-t", $0] }
        program = RunningProgram(
            "mosquitto_sub",
            ["-q", "1", "-F", Listener.format] + arguments + topics)
    }

    /// Everything but the marker, in order.
    var heard: [Heard] { all.filter { $0.topic != Listener.marker } }

    /// The number of messages so far, in order to look only at later ones.
    var count: Int { heard.count }

    private var all: [Heard] {
        memory.withLock { memory in
            let lines = program.lines(from: memory.read)
            memory.read += lines.count
            memory.heard += lines.compactMap { Heard($0) }
            return memory.heard
        }
    }

    /// The number of subscriptions so far: one per connection.
    var subscriptions: Int { all.count { $0.topic == Listener.marker } }

    /// Returns when it is subscribed and has received everything retained.
    ///
    /// - Parameter count: the number of earlier subscriptions.
    func ready(after count: Int = 0) async throws {
        _ = try await eventually("a subscription") { subscriptions > count ? true : nil }
    }

    /// The first message on the topic that satisfies the condition, now or soon.
    @discardableResult
    func hears(
        _ what: String, on topic: String, since start: Int = 0,
        within limit: Duration = .seconds(25), where condition: (JSON) -> Bool = { _ in true }
    ) async throws -> Heard {
        try await eventually("\(what) on \(topic)\n\(log(from: start))", within: limit) {
            heard.dropFirst(start).first { $0.topic == topic && condition($0.json) }
        }
    }

    /// The last message so far on each topic.
    var latest: [String: Heard] {
        Dictionary(heard.map { ($0.topic, $0) }, uniquingKeysWith: { $1 })
    }

    private func log(from start: Int) -> String {
        heard.dropFirst(start).suffix(40).map { "  \($0.topic) \($0.payload.prefix(300))" }
            .joined(separator: "\n")
    }

    var hasEnded: Bool { program.ending != nil }

    /// Cuts the connection: the broker publishes the will, if there is one.
    func kill() async { await program.kill() }
}
