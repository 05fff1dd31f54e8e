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

    public enum Status: String, Hashable, Sendable, CaseIterable {
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
        RunnerState.payload.bytes(of: Shown(state: self, course: course))
    }

    /// - Parameter rank: nil if there is none.
    public func shown(rank: Int?) -> Shown { Shown(state: self, rank: rank) }
}

extension RunnerState {
    /// A state, and how much of it is written.
    public struct Shown: Sendable {
        fileprivate let state: RunnerState
        fileprivate var rank: Int?
        /// Whether to omit times of day.
        fileprivate var isBrief = false
        /// To show the position on it.
        fileprivate var course: Course?

        fileprivate var started: Runner? {
            state.runner.flatMap { $0.hasStarted ? $0 : nil }
        }
        fileprivate var finished: Runner? {
            started.flatMap { $0.hasFinished ? $0 : nil }
        }
        /// Nil also once the run has ended.
        fileprivate var running: Runner? {
            state.isOver ? nil : started.flatMap { $0.hasFinished ? nil : $0 }
        }
        fileprivate var point: Coordinate? {
            guard !state.isOver, let started else { return nil }
            return course?.point(at: started.distance)
        }

        fileprivate func time(by ranking: RaceClock.Ranking) -> Int? {
            finished.flatMap { state.clock.time(of: $0, by: ranking) }
        }
    }

    public static let payload = Payload<Shown>(
        "RunnerState",
        .init("rank", .count) { $0.rank },
        .init("bib", .count) { $0.state.bib },
        .init("name", .text) { $0.state.name },
        .init("status", .choice) { $0.state.status },
        .init("distance", .count, "metres from the start") {
            $0.started.map { Int(clamping: $0.distance.rounded()) }
        },
        .init("startedAt", .time) { $0.isBrief ? nil : $0.started?.startedAt },
        .init("finishedAt", .time) { $0.isBrief ? nil : $0.finished?.finishedAt },
        .init("time", .count, "seconds") { $0.time(by: $0.state.clock.ranking) },
        .init("ownTime", .count, "seconds") { $0.time(by: .own) },
        .init("gunTime", .count, "seconds") { $0.time(by: .gun) },
        .init("at", .time) { $0.isBrief ? nil : $0.running?.lastAt },
        .init("pace", .count, "seconds per kilometre") {
            $0.running?.pace.map { Int(clamping: $0.rounded()) }
        },
        .init("missed", .count) {
            $0.started.flatMap { $0.missed.isEmpty ? nil : $0.missed.count }
        },
        .coordinate { $0.point },
        .init("heartRate", .count) { shown in
            guard shown.course != nil, shown.running != nil else { return nil }
            return shown.state.heartRate.map { Int(clamping: $0.rounded()) }
        })
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
            let item = payload.bytes(
                of: Shown(state: state, rank: ranks[state.bib], isBrief: !state.isOver))
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
