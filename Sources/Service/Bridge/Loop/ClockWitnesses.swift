internal import Tracking

/// The server clock's lag, according to several people's phones. One phone's clock may be wrong;
/// most phones' clocks are not wrong by the same amount.
struct ClockWitnesses {
    enum Verdict: Equatable {
        /// The clock is behind by this much.
        case behind(Duration)
        /// Most phones are not ahead of the clock.
        case right
        /// Nothing is known.
        case nothing

        var lag: Duration? { if case .behind(let lag) = self { lag } else { nil } }
    }

    private struct Sign {
        /// The phone's lead over the server's clock.
        let ahead: Duration
        let at: Timestamp
    }

    private var signs: [UserID: Sign] = [:]

    /// The validity of a sign.
    static let memory = Duration.seconds(1_800)
    /// The maximum number of people remembered.
    static let most = 1_000
    /// Phones that are ahead by less count as not ahead.
    private static let tolerance = Duration.seconds(60)
    /// The maximum difference between agreeing clocks: messages take a while to arrive.
    private static let agreement = Duration.seconds(120)
    private static let enough = 2

    /// Whether no phone is ahead: then phones that are not ahead need not be recorded.
    private(set) var isEmpty = true

    /// - Parameter ahead: how far the person's phone clock is ahead of the server's.
    mutating func note(_ person: UserID, ahead: Duration, at now: Timestamp) {
        let isAhead = ahead > ClockWitnesses.tolerance
        guard isAhead || !isEmpty else { return }
        if signs.count >= ClockWitnesses.most, signs[person] == nil {
            signs = signs.filter { isCurrent($0.value, at: now) }
            guard signs.count < ClockWitnesses.most else { return }
        }
        signs[person] = Sign(ahead: isAhead ? ahead : .zero, at: now)
        isEmpty = false
    }

    /// Forgets all signs, because the clock was set.
    mutating func forget() { self = ClockWitnesses() }

    mutating func verdict(at now: Timestamp) -> Verdict {
        guard !isEmpty else { return .nothing }
        signs = signs.filter { isCurrent($0.value, at: now) }
        let ahead = signs.values.map(\.ahead).filter { $0 > .zero }.sorted()
        guard !ahead.isEmpty else {
            defer { forget() }
            return signs.isEmpty ? .nothing : .right
        }
        let median = ahead[ahead.count / 2]
        let agreeing = ahead.count {
            $0 <= median + ClockWitnesses.agreement && $0 >= median - ClockWitnesses.agreement
        }
        if agreeing >= ClockWitnesses.enough, agreeing * 2 > signs.count { return .behind(median) }
        return ahead.count * 2 < signs.count ? .right : .nothing
    }

    private func isCurrent(_ sign: Sign, at now: Timestamp) -> Bool {
        sign.at <= now && now < sign.at + ClockWitnesses.memory
    }
}
