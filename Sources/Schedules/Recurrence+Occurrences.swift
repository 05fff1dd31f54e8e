public import Tracking

extension Recurrence {
    /// One of the times at which something happens.
    public struct Occurrence: Hashable, Sendable {
        /// As the rule says it: the time of day is always that of the start. Where the clocks skip it,
        /// they show a later one at the moment.
        public let local: CivilDateTime
        public let moment: Timestamp
    }

    /// The first occurrence after a moment; nil if there is none, or none before decades have passed.
    ///
    /// The start is always the first occurrence, whether the rule has it or not (RFC 5545, 3.8.5.3,
    /// leaves open what happens if not), and counts for COUNT; it is there even if UNTIL is over by
    /// then. Days that do not exist are left out (3.3.10), and no day of a short month stands in for
    /// them. Where a zone skips a whole day, its occurrence is at the same moment as that of
    /// the next day, and they are one.
    ///
    /// - Parameters:
    ///   - start: the first occurrence, by the clocks of the zone.
    ///   - seen: how many days were looked at, about, is added to it.
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

    /// The occurrences after a moment, in their order: each later than the one before.
    ///
    /// - Parameter limit: how many, at most ``maximumOccurrences``.
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
        // Two days earlier, because no offset is known of the occurrences yet.
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

    /// Of ``occurrences(after:from:limit:offset:)``.
    public static let maximumOccurrences = 366
    /// How many days, weeks, months or years are counted for COUNT, which has to begin at the start:
    /// a hundred years of days, and four hundred years of the others. What would be later is not found.
    static func maximumPeriods(_ frequency: Frequency) -> Int {
        switch frequency {
        case .daily: 36_525
        case .weekly: 20_871
        case .monthly: 4_800
        case .yearly: 400
        }
    }

    /// After how many days, weeks, months or years without an occurrence there are none any more.
    /// Days that are in none of the months of BYMONTH do not count.
    static func maximumEmptyPeriods(_ frequency: Frequency) -> Int {
        switch frequency {
        case .daily: 5_000
        case .weekly, .monthly: 1_000
        // Then the calendar repeats itself.
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
