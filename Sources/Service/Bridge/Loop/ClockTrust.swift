internal import Clocks
internal import Tracking

/// Whether the server's clock can be trusted.
///
/// A clock that is more than a day ahead of the time expected from the last trusted time is
/// doubted, and so is one that is behind it, or behind most phones' clocks, unless the kernel has
/// synchronised it. Once it has run for a day without a jump, it is trusted again; a doubt raised
/// by phones must be ended by phones.
struct ClockTrust {
    enum Doubt: Hashable {
        /// The clock is ahead of the expected time by this much.
        case ahead(Duration)
        /// The clock is behind that by at least this much.
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
    /// Whether phones have shown that the clock is behind: only they, or setting the clock, can
    /// revoke it.
    private var isWitnessed = false

    /// The largest difference that a correction, a pause or a reboot may explain.
    static let leap = Duration.seconds(86_400)
    /// The largest correction backwards: no pause sets a clock back.
    static let mostBack = Duration.seconds(300)
    static let probation = Duration.seconds(86_400)

    /// - Parameters:
    ///   - known: the last time trusted by an earlier bridge; nil if there is none.
    ///   - steady: the steady clock's time.
    init(known: Timestamp?, steady: Duration) {
        believed = known.map { ClockReading(wall: $0, steady: steady) }
    }

    /// - Parameters:
    ///   - phones: the phones' verdict on the clock.
    ///   - isSynchronised: whether a time server has set the clock, according to the kernel.
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

    /// Whether a clock that was behind was set forward by that amount.
    private func isMended(by drift: Duration) -> Bool {
        knownLag > .zero && drift <= knownLag + ClockTrust.leap
            && drift >= knownLag - ClockTrust.leap
    }

    /// - Parameter jump: the further difference that restarts the day.
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
