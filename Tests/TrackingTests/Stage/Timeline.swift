import TestSupport
import Testing
import Tracking

/// One person's events as text. A line with a time is an event; the indented lines below it are its
/// effects. A timer that fires before the next event prints its own moment.
///
///     10:00:00 travels to 1000 m by 10:10:00 with family
///         family v2: routing, at 0 m
///         path 1 begins: journey, for family
///         alert to family: journey-started
///     10:00:10 phone at 10 m
///         family v3 at 10 m
///         path 1 grows
///     10:20:00
///         10:10:00.001 family v4: routing, at 10 m, warnings late
///         10:10:00.001 alert to family: late
///
/// `EventParser` has the list of events.
struct Timeline {
    private var stage = Stage()
    private let shown: Shown
    private var lines: [String] = []

    /// Expects the text's events to have the effects in the text.
    ///
    /// - Parameter given: events whose effects are of no interest here.
    static func check(
        given: String = "", showing shown: Shown = .everything, _ golden: String,
        rules: Rules = Rules(), sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var timeline = Timeline(rules: rules, showing: shown)
        try timeline.play(given)
        timeline.lines = []
        try timeline.play(golden)
        let played = timeline.lines.joined(separator: "\n")
        #expect(
            played == golden, "What happened:\n\(played)\n", sourceLocation: sourceLocation)
    }

    /// The effects of one event, a line for each.
    static func effects(given: String, of event: String, showing shown: Shown = .everything)
        throws -> [String]
    {
        var timeline = Timeline(rules: Rules(), showing: shown)
        try timeline.play(given)
        timeline.lines = []
        try timeline.play(event)
        return timeline.lines.dropFirst().map { String($0.drop { $0 == " " }) }
    }

    /// The stage after the events, for a closer look.
    static func stage(after events: String) throws -> Stage {
        var timeline = Timeline(rules: Rules(), showing: .everything)
        try timeline.play(events)
        return timeline.stage
    }

    private init(rules: Rules, showing shown: Shown) {
        stage.rules = rules
        self.shown = shown
    }

    private mutating func play(_ text: String) throws {
        for line in text.split(separator: "\n") where line.first != " " {
            lines.append(String(line))
            let parser = EventParser(line)
            for moment in try parser.moments() {
                // No time passes where the clock jumps.
                while moment.event != .clockIsSet, let fired = stage.fire(until: moment.at) {
                    print(fired.effects, prefix: "\(fired.at.clock) ")
                }
                perform(moment.event, at: moment.at)
                if parser.showsPath { lines.append("    path: \(path)") }
            }
        }
    }

    private mutating func perform(_ event: Event, at now: Timestamp) {
        switch stage.apply(event, at: now) {
        case .effects(let effects): print(effects, prefix: "")
        case .refused(let refusal): lines.append("    refused: \(refusal.rawValue)")
        case .acknowledged(true): break
        case .acknowledged(false): lines.append("    nothing to acknowledge")
        }
        // The timers that the event itself made due.
        while let fired = stage.fire(until: now) { print(fired.effects, prefix: "at once: ") }
    }

    private mutating func print(_ effects: [Effect], prefix: String) {
        for effect in effects {
            guard let words = stage.words(for: effect, shown) else { continue }
            lines.append("    " + prefix + words)
        }
    }

    private var path: String {
        stage.points.map { "\(Road.meters(to: $0.coordinate)) m" }.joined(separator: ", ")
    }
}
