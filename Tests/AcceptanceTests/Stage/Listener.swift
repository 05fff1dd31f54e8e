import Foundation
import Synchronization
import TestSupport

/// A message as a stock client showed it.
struct Heard: Sendable {
    let topic: String
    let payload: String
    let isRetained: Bool
    private let read = Lazy()

    /// It is not requested for most messages.
    var json: JSON { read.value { JSON(parsing: payload) } }

    private final class Lazy: Sendable {
        private let known = Mutex<JSON?>(nil)

        func value(_ make: () -> JSON) -> JSON {
            known.withLock { known in
                if let known { return known }
                let made = make()
                known = made
                return made
            }
        }
    }

    /// - Parameter line: in the format of ``Listener/format``; nil for any other.
    init?(_ line: String) {
        let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "0" || parts[0] == "1" else { return nil }
        isRetained = parts[0] == "1"
        topic = String(parts[1])
        payload = String(parts[2])
    }
}

/// A `mosquitto_sub` that keeps running, and what it has received.
final class Listener: Sendable {
    private static let format = "%r\t%t\t%p"
    /// How a marker begins: a message to this client alone, to check that it receives.
    private static let marker = "marker "

    private let program: RunningProgram
    private let memory = Mutex<(read: Int, heard: [Heard])>((0, []))
    private let own: String
    /// Whether it is to receive the other messages on that topic.
    private let wantsOwn: Bool
    private let say: @Sendable (_ topic: String, _ payload: String) async throws -> Void

    /// - Parameters:
    ///   - arguments: the broker, who it is, and whatever else.
    ///   - own: a topic on which only the service publishes, to this client.
    ///   - say: publishes there as the service.
    init(
        _ arguments: [String], to filters: [String], own: String,
        say: @escaping @Sendable (_ topic: String, _ payload: String) async throws -> Void
    ) {
        self.own = own
        wantsOwn = filters.contains(own)
        self.say = say
        let topics = (filters + [own]).flatMap { ["-t", $0] }
        program = RunningProgram(
            "mosquitto_sub",
            ["-q", "1", "-F", Listener.format] + arguments + topics)
    }

    /// Everything that it is to receive, in order.
    var heard: [Heard] {
        all.filter {
            ($0.topic != own || wantsOwn) && !$0.payload.hasPrefix(Listener.marker)
        }
    }

    /// How many were received so far: to check only later ones.
    var count: Int { heard.count }

    private var all: [Heard] {
        memory.withLock { memory in
            let lines = program.lines(from: memory.read)
            memory.read += lines.count
            memory.heard += lines.compactMap { Heard($0) }
            return memory.heard
        }
    }

    /// Returns when it is subscribed and has all retained messages: messages sent to it later
    /// arrive later.
    func ready() async throws {
        let word = "\(Listener.marker)\(UUID())"
        _ = try await eventually("a subscription") { () async throws -> Bool? in
            if let ending = program.ending {
                throw NothingHappened("It has ended, \(ending): \(program.lines)")
            }
            try await say(own, word)
            for _ in 0..<30 {
                if all.contains(where: { $0.payload == word }) { return true }
                try await Task.sleep(for: .milliseconds(10))
            }
            return nil
        }
    }

    /// The first message on the topic of which the condition holds, now or soon.
    @discardableResult
    func hears(
        _ what: String, on topic: String, since start: Int = 0,
        within limit: Duration = .seconds(25), where condition: (JSON) -> Bool = { _ in true }
    ) async throws -> Heard {
        try await eventually("\(what) on \(topic)\n\(log(from: start))", within: limit) {
            heard.dropFirst(start).first { $0.topic == topic && condition($0.json) }
        }
    }

    /// The first message under the topic of which the condition holds, now or soon.
    @discardableResult
    func hears(_ what: String, under topic: String, where condition: (JSON) -> Bool) async throws
        -> Heard
    {
        try await eventually("\(what) under \(topic)\n\(log(from: 0))", within: .seconds(25)) {
            heard.first { $0.topic.hasPrefix("\(topic)/") && condition($0.json) }
        }
    }

    /// The last message on each topic so far.
    var latest: [String: Heard] {
        Dictionary(heard.map { ($0.topic, $0) }, uniquingKeysWith: { $1 })
    }

    private func log(from start: Int) -> String {
        heard.dropFirst(start).suffix(40).map { "  \($0.topic) \($0.payload.prefix(300))" }
            .joined(separator: "\n")
    }

    var hasEnded: Bool { program.ending != nil }

    /// Breaks the connection: the broker publishes the will, if there is one.
    func kill() async { await program.kill() }
}
