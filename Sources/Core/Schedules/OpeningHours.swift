public import Tracking

/// A place's opening hours, as mappers of OpenStreetMap write them.
///
/// It understands the common part of the grammar at
/// <https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification>: `24/7`, months, days of
/// months, weekdays (also `Sa[1]`, `Su[-1]`), times, also past midnight and with an open end,
/// `off`, `closed`, `open`, `unknown`, comments, and rules after `;` and `,`. It does not
/// understand years, weeks, seasons, the sun, points in time and `||`.
///
/// - A rule replaces everything in the rules before it about the same days, including times past
///   midnight. After a comma, and with `off` at certain times, it replaces them only for the same
///   time.
/// - Times past midnight belong to the day on which they began, and a rule for the next day leaves
///   them alone: after `Fr 18:00-02:00; Sa off` it is open on Saturday at 01:00. (The specification
///   lets `;` end it at midnight, which hardly any mapper means.)
/// - Public and school holidays are not known: `PH` and `SH` are understood, and no day is one. A
///   text without other days is not understood.
/// - With an open end (`19:00+`), it is unknown from then on: until midnight if that is before
///   17:00, for ten hours if it is before 22:00, else for eight, as in opening_hours.js, or until
///   the rule has another time.
/// - A comment alone, such as `Sa "by appointment"`, means unknown.
public struct OpeningHours: Hashable, Sendable {
    public enum Status: String, Hashable, CaseIterable, Sendable {
        case open, closed
        /// No one can tell without asking there.
        case unknown
    }

    /// The original text.
    public let text: String
    private let rules: [OpeningRule]
    /// The number of days after which nothing new follows, as far as is searched.
    private let cycle: Int

    /// In Unicode scalars: the longest value that OpenStreetMap stores.
    public static let maximumLength = 255
    /// The number of days in which a change is searched for.
    public static let horizon = 366
    /// The same if all weeks are alike. Of three, one has no clock change.
    private static let weeklyCycle = 21

    /// Nil if any part is not understood. Then the text can only be shown as written.
    public init?(_ text: String) {
        guard text.utf8.count <= 4 * OpeningHours.maximumLength,
            text.unicodeScalars.count <= OpeningHours.maximumLength,
            let rules = OpeningHoursReader.read(text),
            // `off` at certain times closes nothing if there is no rule before it.
            let first = rules.first(where: \.canApply),
            first.spans.isEmpty || first.status != .closed
        else { return nil }
        (self.text, self.rules) = (text, rules)
        cycle =
            rules.allSatisfy(\.isWeekly) ? OpeningHours.weeklyCycle : OpeningHours.horizon
    }

    // MARK: Moments

    /// - Parameter offset: of the place's zone. While its clocks repeat an hour, times that are
    ///   over stay over.
    public func status(at moment: Timestamp, offset: ZoneOffset) -> Status {
        let time = CivilDateTime.latest(at: moment, offset: offset)
        let day = OpeningDay(time.date)
        return status(day, after: day.yesterday, at: time.time.seconds / 60)
    }

    /// Returns the first later moment at which the status is different; nil if it stays the same
    /// for ``horizon`` days.
    public func nextChange(after moment: Timestamp, offset: ZoneOffset)
        -> (at: Timestamp, to: Status)?
    {
        change(after: moment, offset) { _ in true }
    }

    /// Returns the first later moment at which it opens, for certain; nil if there is none in
    /// ``horizon`` days, or if it never closes.
    public func nextOpening(after moment: Timestamp, offset: ZoneOffset) -> Timestamp? {
        change(after: moment, offset) { $0 == .open }?.at
    }

    private func change(
        after moment: Timestamp, _ offset: ZoneOffset, to isWanted: (Status) -> Bool
    ) -> (at: Timestamp, to: Status)? {
        let time = CivilDateTime.latest(at: moment, offset: offset)
        var (day, minute) = (OpeningDay(time.date), time.time.seconds / 60)
        var yesterday = day.yesterday
        var last = status(day, after: yesterday, at: minute)
        for _ in 0...cycle {
            for next in boundaries(day, after: yesterday) where next > minute {
                guard status(day, after: yesterday, at: next) != last else { continue }
                let time = CivilDateTime(date: day.date, time: TimeOfDay(unchecked: next * 60))
                let reached = time.firstReached(offset: offset)
                // If the clocks are set at this moment, they show a later time.
                let status = status(at: reached, offset: offset)
                guard reached > moment, status != last else { continue }
                if isWanted(status) { return (reached, status) }
                last = status
            }
            (yesterday, day, minute) = (day, OpeningDay(day.date + 1), -1)
        }
        return nil
    }

    // MARK: Days

    /// - Parameter minute: since midnight, by the clock.
    private func status(_ day: OpeningDay, after yesterday: OpeningDay, at minute: Int) -> Status {
        var status = Status.closed
        var (isDecided, isYesterdayDecided) = (false, false)
        for rule in rules.reversed() {
            for isToday in [true, false] {
                if isToday ? isDecided : isYesterdayDecided { continue }
                guard rule.applies(on: isToday ? day : yesterday) else { continue }
                switch rule.verdict(at: isToday ? minute : minute + OpeningRule.day) {
                case .silent: continue
                case .says(.closed): return status
                case .says(.open): return .open
                case .says(.unknown): status = .unknown
                case .replaces: break
                }
                if isToday { isDecided = true } else { isYesterdayDecided = true }
            }
        }
        return status
    }

    /// Returns the minutes of a day at which its status may change, ascending.
    private func boundaries(_ day: OpeningDay, after yesterday: OpeningDay) -> [Int] {
        var minutes = [0]
        for rule in rules where !rule.spans.isEmpty {
            let (isToday, isYesterday) = (rule.applies(on: day), rule.applies(on: yesterday))
            for span in rule.spans {
                for minute in [span.from, span.to] {
                    if isToday, minute < OpeningRule.day { minutes.append(minute) }
                    if isYesterday, minute >= OpeningRule.day {
                        minutes.append(minute - OpeningRule.day)
                    }
                }
            }
        }
        return minutes.sorted().filter { $0 < OpeningRule.day }
    }
}
