public import Tracking

/// The number of seconds by which a zone's clocks are ahead of UTC at a moment. It may be any
/// number within a day, and change by any; the changes are more than two days apart.
public typealias ZoneOffset = (Timestamp) -> Int

extension CivilDateTime {
    /// The date and time shown by a zone's clocks, without the fraction of a second. Before and
    /// after the years that have dates they stand still.
    public init(_ moment: Timestamp, offset: ZoneOffset) {
        self.init(moment, ahead: offset(moment))
    }

    /// - Parameter seconds: how far the clocks are ahead of UTC.
    init(_ moment: Timestamp, ahead seconds: Int) {
        let local = Int(moment.milliseconds).floorDivided(by: 1_000) + seconds
        let date = CivilDate(dayNumber: local.floorDivided(by: TimeOfDay.secondsPerDay))
        if date < .first {
            self.init(date: .first, time: .midnight)
        } else if date > .last {
            self.init(date: .last, time: .last)
        } else {
            self.init(
                date: date, time: TimeOfDay(unchecked: local.modulo(TimeOfDay.secondsPerDay)))
        }
    }

    /// Returns when a zone's clocks show this.
    ///
    /// A time that they show twice means the first one, and one that they skip is read with the
    /// offset before the gap (RFC 5545, 3.3.5): where they are set from 02:00 to 03:00, 02:30 is
    /// the moment at which they show 03:30.
    public func timestamp(offset: ZoneOffset) -> Timestamp {
        switch instants(offset) {
        case .shown(let moment): moment
        case .skipped(before: _, after: let moment): moment
        }
    }

    /// Returns the first moment at which a zone's clocks show this or a later time: for one that
    /// they skip, the moment at which they are set.
    func firstReached(offset: ZoneOffset) -> Timestamp {
        switch instants(offset) {
        case .shown(let moment): moment
        case .skipped(let before, let after):
            CivilDateTime.change(after: before, until: after, offset)
        }
    }

    /// Returns the latest time that a zone's clocks have shown so far. While they repeat an hour it
    /// is the last second before they were set back, so that anything over stays over.
    static func latest(at moment: Timestamp, offset: ZoneOffset) -> CivilDateTime {
        let moment = min(max(moment, earliest), utmost)
        let earlier = moment - setBack
        let (before, now) = (offset(earlier), offset(moment))
        guard before > now else { return CivilDateTime(moment, ahead: now) }
        let change = change(after: earlier, until: moment, offset)
        return moment - change < .seconds(before - now)
            ? CivilDateTime(change - .milliseconds(1), ahead: before)
            : CivilDateTime(moment, ahead: now)
    }

    /// The most by which clocks are set back, if ``latest(at:offset:)`` is to notice.
    private static let setBack = Duration.seconds(3 * 3_600)
    /// The moments that have dates everywhere.
    private static let earliest = CivilDateTime(date: .first + 2, time: .midnight).utc
    private static let utmost = CivilDateTime(date: .last + -2, time: .midnight).utc

    private enum Instants {
        case shown(Timestamp)
        /// By the offset after the gap, a moment before it; by that before it, a moment after it.
        case skipped(before: Timestamp, after: Timestamp)
    }

    /// Uses the offsets a day before and after as those around a change, if there is one.
    private func instants(_ offset: ZoneOffset) -> Instants {
        let utc = utc
        let day = Duration.seconds(TimeOfDay.secondsPerDay)
        let (before, after) = (offset(utc - day), offset(utc + day))
        let first = utc - .seconds(before)
        if offset(first) == before { return .shown(first) }
        let second = utc - .seconds(after)
        if offset(second) == after { return .shown(second) }
        return second < first ? .skipped(before: second, after: first) : .shown(first)
    }

    /// The moment if the clocks showed UTC.
    var utc: Timestamp {
        Timestamp(
            milliseconds: Int64(date.dayNumber * TimeOfDay.secondsPerDay + time.seconds) * 1_000)
    }

    /// Returns the first moment with another offset than the earlier one has, by bisection.
    ///
    /// - Parameter late: at most some days after, with another offset.
    private static func change(
        after early: Timestamp, until late: Timestamp, _ offset: ZoneOffset
    ) -> Timestamp {
        let before = offset(early)
        var (low, high) = (early.milliseconds, late.milliseconds)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(Timestamp(milliseconds: middle)) == before {
                low = middle
            } else {
                high = middle
            }
        }
        return Timestamp(milliseconds: high)
    }
}
