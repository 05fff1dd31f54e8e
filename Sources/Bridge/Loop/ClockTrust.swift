internal import Clocks
internal import Tracking

/// Whether the server's clock can be trusted when something is to be deleted because of its age.
///
/// A clock that is more than a day ahead of what the last trusted time suggests is doubted; once it
/// has run for another day without a jump, it is trusted again.
struct ClockTrust {
    enum Verdict: Equatable {
        case believed
        /// - `ahead`: how far the clock is beyond what it should be.
        case doubted(ahead: Duration, isNew: Bool)
    }

    private var believed: ClockReading?
    /// When the doubt began.
    private var doubted: ClockReading?

    /// The largest difference that a correction, a pause or a reboot may explain.
    static let leap = Duration.seconds(86_400)
    static let probation = Duration.seconds(86_400)

    /// - Parameters:
    ///   - known: the last time that an earlier bridge trusted; nil if there is none.
    ///   - steady: now, by the steady clock.
    init(known: Timestamp?, steady: Duration) {
        believed = known.map { ClockReading(wall: $0, steady: steady) }
    }

    var isDoubtful: Bool { doubted != nil }

    mutating func look(at moment: ClockReading) -> Verdict {
        guard let last = believed, moment.isAhead(of: last) > ClockTrust.leap else {
            return believe(moment)
        }
        guard let doubted, moment.isAhead(of: doubted) <= ClockTrust.leap else {
            doubted = moment
            return .doubted(ahead: moment.isAhead(of: last), isNew: true)
        }
        if moment.steady - doubted.steady >= ClockTrust.probation { return believe(moment) }
        return .doubted(ahead: moment.isAhead(of: last), isNew: false)
    }

    private mutating func believe(_ moment: ClockReading) -> Verdict {
        (believed, doubted) = (moment, nil)
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
