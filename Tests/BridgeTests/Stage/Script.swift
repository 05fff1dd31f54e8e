import Contract
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// A story as text. A line with a time is something that happens; the indented lines below it
/// are the resulting publications. Those of a timer that fires before the next line begin with
/// their own time.
///
///     10:00:00 alice shares with family
///         family sees alice v3: active, nowhere
///         alice/phone reply: ok
///     10:00:10 alice at 10 m
///         family sees alice v4 at 10 m
///     10:05:00
///         10:01:10 family sees alice v5: active, not online, at 10 m
///
/// `ScriptReader` lists the possible events, `Narrator` the wording of publications: a colon after
/// the version means QoS 1. Repeated words appear once.
struct Script {
    private let world: World
    private let shown: Shown
    private var lines: [String] = []

    /// Expects the publications in the text when the events in the text happen.
    static func check(
        in world: World, showing shown: Shown = .everything, _ golden: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var script = Script(world: world, shown: shown)
        try script.play(golden)
        let played = script.lines.joined(separator: "\n")
        #expect(played == golden, "What happened:\n\(played)\n", sourceLocation: sourceLocation)
    }

    /// Lets the events happen without checking what is published.
    static func play(in world: World, _ text: String) throws {
        var script = Script(world: world, shown: [])
        try script.play(text)
    }

    private init(world: World, shown: Shown) {
        self.world = world
        self.shown = shown
        _ = world.published()
    }

    private mutating func play(_ text: String) throws {
        for line in text.split(separator: "\n") where line.first != " " {
            lines.append(String(line))
            let series = /(\S+) to (\S+) every ([0-9.]+) s (.*)/
            if let match = line.wholeMatch(of: series), let seconds = Double(match.3) {
                let last = try time(match.2)
                var (at, index) = (try time(match.1), 0)
                while at <= last {
                    try happen(match.4, at: at, index: index)
                    at = at + .milliseconds(Int64((seconds * 1000).rounded()))
                    index += 1
                }
            } else {
                let parts = line.split(separator: " ", maxSplits: 1)
                try happen(parts.count > 1 ? parts[1] : "", at: try time(parts[0]), index: 0)
            }
        }
    }

    private mutating func happen(_ text: Substring, at time: Timestamp, index: Int) throws {
        if text == "the bridge comes back" {
            world.sleep(time - world.now)
            try world.restart()
            return tell(prefix: "")
        }
        if world.engine.nextTimer == nil { try world.pass(until: world.now) }
        while let due = world.engine.nextTimer, due < time {
            let isOverdue = due <= world.now
            try world.pass(until: max(due, world.now))
            tell(prefix: isOverdue ? "" : "\(due.clock) ")
        }
        try world.pass(until: time)
        let reader = ScriptReader(world: world)
        var messages: [Message] = []
        for part in text.split(separator: " & ", omittingEmptySubsequences: false) {
            switch try reader.deed(part, index: index) {
            case .message(let message): messages.append(message)
            case .operation(let command): try world.operate(command)
            case .restart: try world.restart()
            case .reconnect: try world.reconnect()
            case .nothing: break
            }
        }
        if !messages.isEmpty { try world.turn(messages) }
        tell(prefix: "")
    }

    private mutating func tell(prefix: String) {
        let narrator = Narrator(topics: world.topics, names: world.names)
        var told: Set<String> = []
        for publication in world.published() {
            guard let words = narrator.words(for: publication, shown), told.insert(words).inserted
            else { continue }
            lines.append("    " + prefix + words)
        }
    }

    private func time(_ text: Substring) throws -> Timestamp {
        guard let time = Timestamp(clock: text) else {
            throw ScriptReader.Failure(line: String(text))
        }
        return time
    }
}
