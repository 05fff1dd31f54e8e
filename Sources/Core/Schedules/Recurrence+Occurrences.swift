public import Tracking

extension Recurrence {
    /// One of the times at which something happens.
    public struct Occurrence: Hashable, Sendable {
        /// By the rule: the time of day is always that of the start. If the clocks skip it, they
        /// show a later one at the moment.
        public let local: CivilDateTime
        public let moment: Timestamp
    }

    /// Returns the first occurrence after a moment; nil if there is none, or none for decades.
    ///
    /// The start is always the first occurrence, whether the rule includes it or not (RFC 5545,
    /// 3.8.5.3, leaves that case open), and counts for COUNT; it occurs even if UNTIL is over by
    /// then. Days that do not exist are skipped (3.3.10), and no day of a short month replaces
    /// them. If a zone skips a whole day, its occurrence is at the same moment as that of the next
    /// day, and they are one.
    ///
    /// - Parameters:
    ///   - start: the first occurrence, by the clocks of the zone.
    ///   - seen: increased by the approximate number of days examined.
    ///   - offset: of the zone.
    public func next(
        after moment: Timestamp, from start: CivilDateTime, counting seen: inout Int,
        offset: ZoneOffset
    ) -> Occurrence? {
        occurrences(after: moment, from: start, limit: 1, counting: &seen, offset: offset).first
    }

    public func next(
        after moment: Timestamp, from start: CivilDateTime, offset: ZoneOffset
    ) -> Occurrence? {
        occurrences(after: moment, from: start, limit: 1, offset: offset).first
    }

    /// Returns the occurrences after a moment, in order: each later than the one before.
    ///
    /// - Parameter limit: the maximum number, at most ``maximumOccurrences``.
    public func occurrences(
        after moment: Timestamp, from start: CivilDateTime, limit: Int, offset: ZoneOffset
    ) -> [Occurrence] {
        var seen = 0
        return occurrences(
            after: moment, from: start, limit: limit, counting: &seen, offset: offset)
    }

    private func occurrences(
        after moment: Timestamp, from start: CivilDateTime, limit: Int, counting seen: inout Int,
        offset: ZoneOffset
    ) -> [Occurrence] {
        let limit = min(limit, Recurrence.maximumOccurrences)
        // Two days earlier, because the occurrences' offsets are not known yet.
        let date = CivilDateTime(moment, offset: offset).date + -2
        var dates = RecurrenceDates(self, start: start.date, from: date)
        var last = moment
        var occurrences: [Occurrence] = []
        while occurrences.count < limit, let date = dates.next() {
            let local = CivilDateTime(date: date, time: start.time)
            let moment = local.timestamp(offset: offset)
            if isOver(at: local, moment), date != start.date { break }
            guard moment > last else { continue }
            last = moment
            occurrences.append(Occurrence(local: local, moment: moment))
        }
        seen += dates.seenDays
        return occurrences
    }

    /// The maximum number of ``occurrences(after:from:limit:offset:)``.
    public static let maximumOccurrences = 366
    /// Returns the maximum number of days, weeks, months or years counted for COUNT, which has to
    /// begin at the start: a hundred years of days, and four hundred years of the others. Later
    /// occurrences are not found.
    static func maximumPeriods(_ frequency: Frequency) -> Int {
        switch frequency {
        case .daily: 36_525
        case .weekly: 20_871
        case .monthly: 4_800
        case .yearly: 400
        }
    }

    /// Returns the number of days, weeks, months or years without an occurrence after which there
    /// are no more. Days outside the months of BYMONTH do not count.
    static func maximumEmptyPeriods(_ frequency: Frequency) -> Int {
        switch frequency {
        case .daily: 5_000
        case .weekly, .monthly: 1_000
        // After that the calendar repeats itself.
        case .yearly: 400
        }
    }

    private func isOver(at local: CivilDateTime, _ moment: Timestamp) -> Bool {
        switch end {
        case nil, .count: false
        case .until(.date(let last)): local.date > last
        case .until(.local(let last)): local > last
        case .until(.moment(let last)): moment > last
        }
    }
}
