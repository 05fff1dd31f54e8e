internal import Clocks
internal import Tracking

/// Whether the server's clock can be trusted.
///
/// A clock that is more than a day ahead of what the last trusted time suggests is doubted, and so is one
/// that is behind it, or behind what most phones say, unless the kernel has synchronised it. Once it has run
/// for a day without a jump, it is trusted again; where phones have raised the doubt, they have to end it.
struct ClockTrust {
    enum Doubt: Hashable {
        /// How far the clock is beyond what it should be.
        case ahead(Duration)
        /// How far it falls short of that, at least.
        case behind(Duration)

        var isBehind: Bool { if case .behind = self { true } else { false } }
    }

    enum Verdict: Equatable {
        case believed
        case doubted(Doubt, isNew: Bool)
    }

    private var believed: ClockReading?
    private(set) var doubt: Doubt?
    private var doubtedSince: ClockReading?
    /// Whether phones have said that the clock is behind: only they, or whatever sets the clock, can take
    /// it back.
    private var isWitnessed = false

    /// The largest difference that a correction, a pause or a reboot may explain.
    static let leap = Duration.seconds(86_400)
    /// No pause sets a clock back: the largest correction.
    static let mostBack = Duration.seconds(300)
    static let probation = Duration.seconds(86_400)

    /// - Parameters:
    ///   - known: the last time that an earlier bridge trusted; nil if there is none.
    ///   - steady: now, by the steady clock.
    init(known: Timestamp?, steady: Duration) {
        believed = known.map { ClockReading(wall: $0, steady: steady) }
    }

    /// - Parameters:
    ///   - phones: what phones say of the clock.
    ///   - isSynchronised: whether the kernel says that a time server has set the clock.
    mutating func look(
        at moment: ClockReading, phones: ClockWitnesses.Verdict = .nothing,
        isSynchronised: () -> Bool = { false }
    ) -> Verdict {
        let drift = believed.map { moment.isAhead(of: $0) } ?? .zero
        if drift > ClockTrust.leap, !isMended(by: drift) {
            return doubt(.ahead(drift), at: moment, ClockTrust.leap)
        }
        let wasSet = doubtedSince.map { !moment.isNear($0, ClockTrust.mostBack) } ?? false
        switch phones {
        case .behind: isWitnessed = true
        case .right: isWitnessed = false
        case .nothing: if wasSet { isWitnessed = false }
        }
        let lag = max(phones.lag ?? .zero, .zero - drift)
        guard isWitnessed || lag > ClockTrust.mostBack, !isSynchronised() else {
            return believe(moment)
        }
        return doubt(.behind(max(lag, wasSet ? .zero : knownLag)), at: moment, ClockTrust.mostBack)
    }

    private var knownLag: Duration { if case .behind(let lag)? = doubt { lag } else { .zero } }

    /// Whether a clock that was behind was set forward by as much.
    private func isMended(by drift: Duration) -> Bool {
        knownLag > .zero && drift <= knownLag + ClockTrust.leap
            && drift >= knownLag - ClockTrust.leap
    }

    /// - Parameter jump: a further difference after which the day begins again.
    private mutating func doubt(_ new: Doubt, at moment: ClockReading, _ jump: Duration) -> Verdict
    {
        if let doubt, doubt.isBehind == new.isBehind, let since = doubtedSince,
            moment.isNear(since, jump)
        {
            if !isWitnessed, moment.steady - since.steady >= ClockTrust.probation {
                return believe(moment)
            }
            self.doubt = new
            return .doubted(new, isNew: false)
        }
        (doubt, doubtedSince) = (new, moment)
        return .doubted(new, isNew: true)
    }

    private mutating func believe(_ moment: ClockReading) -> Verdict {
        (believed, doubt, doubtedSince, isWitnessed) = (moment, nil, nil, false)
        return .believed
    }
}

extension ClockReading {
    /// Returns how much more time has passed by the wall clock than by the steady one; negative if
    /// less.
    fileprivate func isAhead(of earlier: ClockReading) -> Duration {
        (wall - earlier.wall) - (steady - earlier.steady)
    }

    /// Whether the clock has not been set by more than this in between.
    fileprivate func isNear(_ earlier: ClockReading, _ most: Duration) -> Bool {
        let difference = isAhead(of: earlier)
        return difference <= most && difference >= .zero - most
    }
}
