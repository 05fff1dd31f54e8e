internal import Clocks
internal import Tracking

/// Whether the server's clock can be trusted.
///
/// A clock that is more than a day ahead of what the last trusted time suggests is doubted, and so is one
/// that is behind it, or behind what most phones say, unless the kernel has synchronised it. Once it has run
/// for a day without a jump, it is trusted again.
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
    ///   - witnessed: by how much it is behind, as most phones say; nil if they do not.
    ///   - isSynchronised: whether the kernel says that a time server has set the clock.
    mutating func look(
        at moment: ClockReading, behind witnessed: Duration? = nil,
        isSynchronised: () -> Bool = { false }
    ) -> Verdict {
        let drift = believed.map { moment.isAhead(of: $0) } ?? .zero
        if drift > longestLeap { return doubt(.ahead(drift), at: moment, ClockTrust.leap) }
        let lag = max(witnessed ?? .zero, .zero - drift)
        if lag > (witnessed == nil ? ClockTrust.mostBack : .zero), !isSynchronised() {
            return doubt(.behind(lag), at: moment, ClockTrust.mostBack)
        }
        return believe(moment)
    }

    /// A clock that was behind is set right by as much.
    private var longestLeap: Duration {
        if case .behind(let lag)? = doubt { lag + ClockTrust.leap } else { ClockTrust.leap }
    }

    /// - Parameter jump: a further difference that begins the day anew.
    private mutating func doubt(_ new: Doubt, at moment: ClockReading, _ jump: Duration) -> Verdict
    {
        if let doubt, doubt.isBehind == new.isBehind, let since = doubtedSince,
            moment.isAhead(of: since) <= jump, moment.isAhead(of: since) >= .zero - jump
        {
            if moment.steady - since.steady >= ClockTrust.probation { return believe(moment) }
            return .doubted(new, isNew: false)
        }
        (doubt, doubtedSince) = (new, moment)
        return .doubted(new, isNew: true)
    }

    private mutating func believe(_ moment: ClockReading) -> Verdict {
        (believed, doubt, doubtedSince) = (moment, nil, nil)
        return .believed
    }
}

extension ClockReading {
    /// Returns how much more time has passed by the wall clock than by the steady one; negative if
    /// less.
    fileprivate func isAhead(of earlier: ClockReading) -> Duration {
        (wall - earlier.wall) - (steady - earlier.steady)
    }
}
