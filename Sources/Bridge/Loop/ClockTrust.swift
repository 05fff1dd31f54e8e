internal import Tracking

/// Whether the server's clock may be believed when something is to be deleted for its age.
///
/// One that has gone ahead by more than a day since the time was known last is doubted; when it
/// has run on for a day as it is, it is believed.
struct ClockTrust {
    enum Verdict: Equatable {
        case believed
        /// - `ahead`: by how much it is beyond what it should be.
        case doubted(ahead: Duration, isNew: Bool)
    }

    private var believed: ClockReading?
    /// When the doubt began.
    private var doubted: ClockReading?

    /// What a correction, a pause or a reboot may take.
    static let leap = Duration.seconds(86_400)
    static let probation = Duration.seconds(86_400)

    /// - Parameters:
    ///   - known: the time that an earlier bridge knew last; nil where there was none.
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
    /// By how much more the wall clock has gone on than the steady one; negative: less.
    fileprivate func isAhead(of earlier: ClockReading) -> Duration {
        (wall - earlier.wall) - (steady - earlier.steady)
    }
}
