public import JSON
internal import Numbers
public import Racing
internal import Tracking

/// A participant's progress in a run, as everyone may see it. Positions are on the course, so that
/// the position of a participant who has left it is not revealed.
public struct RunnerState: Sendable {
    public let bib: Int
    /// The runner's chosen name; nil to show only the bib.
    public let name: String?
    /// Nil if the participant is currently hidden.
    public let runner: Runner?
    /// Beats per minute, for participants who show it.
    public let heartRate: Double?
    /// Whether the run has ended.
    public let isOver: Bool
    public let clock: RaceClock

    public enum Status: String, Hashable, Sendable {
        case waiting, running, finished, hidden
        case didNotStart = "did-not-start"
        case didNotFinish = "did-not-finish"
    }

    public init(
        bib: Int, name: String?, runner: Runner?, heartRate: Double?, isOver: Bool,
        clock: RaceClock
    ) {
        (self.bib, self.name, self.runner) = (bib, name, runner)
        (self.heartRate, self.isOver, self.clock) = (heartRate, isOver, clock)
    }

    public var status: Status {
        guard let runner else { return .hidden }
        if runner.hasFinished { return .finished }
        if isOver { return runner.hasStarted ? .didNotFinish : .didNotStart }
        return runner.hasStarted ? .running : .waiting
    }

    /// - Parameter course: the course that positions are on.
    public func payload(on course: Course) -> [UInt8] {
        JSONWriter.object { json in
            write(&json, rank: nil)
            guard let runner, runner.hasStarted, !isOver else { return }
            let point = course.point(at: runner.distance)
            json.key("latitude")
            json.degrees(e7: point.latitudeE7)
            json.key("longitude")
            json.degrees(e7: point.longitudeE7)
            if let heartRate, !runner.hasFinished {
                json.member("heartRate", Int(clamping: heartRate.rounded()))
            }
        }
    }

    /// - Parameters:
    ///   - rank: nil if there is none.
    ///   - isBrief: whether to omit times of day.
    public func write(_ json: inout JSONWriter, rank: Int?, isBrief: Bool = false) {
        if let rank { json.member("rank", rank) }
        json.member("bib", bib)
        if let name { json.member("name", name) }
        json.member("status", status.rawValue)
        guard let runner, let startedAt = runner.startedAt else { return }
        json.member("distance", Int(clamping: runner.distance.rounded()))
        if !isBrief { json.member("startedAt", startedAt) }
        if let finishedAt = runner.finishedAt {
            if !isBrief { json.member("finishedAt", finishedAt) }
            if let time = clock.time(of: runner) { json.member("time", time) }
            if let time = clock.time(of: runner, by: .own) { json.member("ownTime", time) }
            if let time = clock.time(of: runner, by: .gun) { json.member("gunTime", time) }
        } else if !isOver {
            if !isBrief, let at = runner.lastAt { json.member("at", at) }
            if let pace = runner.pace { json.member("pace", Int(clamping: pace.rounded())) }
        }
        if !runner.missed.isEmpty { json.member("missed", runner.missed.count) }
    }
}

extension RunnerState {
    /// Returns the standings in ranking order; participants without a rank come last, by their
    /// bibs.
    ///
    /// - Returns: arrays of at most ``PayloadLimits/maximum`` bytes, at least one.
    public static func standings(_ states: [RunnerState], by clock: RaceClock) -> [[UInt8]] {
        let byBib = Dictionary(states.map { ($0.bib, $0) }) { first, _ in first }
        let standings = Standings(byBib.compactMapValues(\.runner), by: clock)
        let ranks = Dictionary(standings.entries.map { ($0.bib, $0.rank) }) { first, _ in first }
        let others = byBib.keys.filter { ranks[$0] == nil }.sorted()
        var pages = [Array("[".utf8)]
        for state in (standings.entries.map(\.bib) + others).compactMap({ byBib[$0] }) {
            let item = JSONWriter.object {
                state.write(&$0, rank: ranks[state.bib], isBrief: !state.isOver)
            }
            if pages[pages.count - 1].count + item.count + 2 > PayloadLimits.maximum {
                pages.append(Array("[".utf8))
            }
            if pages[pages.count - 1].count > 1 {
                pages[pages.count - 1].append(UInt8(ascii: ","))
            }
            pages[pages.count - 1] += item
        }
        return pages.map { $0 + Array("]".utf8) }
    }
}
