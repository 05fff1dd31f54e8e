public import Tracking

/// When a place is open, as mappers of OpenStreetMap write it.
///
/// It understands the common part of the grammar at
/// <https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification>: `24/7`, months, days of months,
/// weekdays (also `Sa[1]`, `Su[-1]`), times, also past midnight and with an open end, `off`,
/// `closed`, `open`, `unknown`, comments, and rules after `;` and `,`. Years, weeks, seasons, the
/// sun, points in time and `||` it does not.
///
/// - A rule replaces what the ones before it say of the same days, all of it, also what goes on past
///   midnight. After a comma, and with `off` at certain times, it replaces what they say of the same
///   time only.
/// - What goes on past midnight belongs to the day on which it began, and a rule for the next day leaves
///   it alone: after `Fr 18:00-02:00; Sa off` it is open on Saturday at 01:00. (The
///   specification lets `;` end it at midnight, which hardly any mapper means.)
/// - Public and school holidays are not known: `PH` and `SH` are understood, and no day is one. A
///   text that says nothing of other days is not understood.
/// - With an open end (`19:00+`), it is unknown from then on: until midnight if that is before
///   17:00, for ten hours if it is before 22:00, else for eight, as opening_hours.js takes it, or
///   until the rule says something else.
/// - A comment alone, such as `Sa "by appointment"`, says that it is unknown.
public struct OpeningHours: Hashable, Sendable {
    public enum Status: String, Hashable, CaseIterable, Sendable {
        case open, closed
        /// Nobody can say without asking there.
        case unknown
    }

    /// As it was written.
    public let text: String
    private let rules: [OpeningRule]
    /// Days after which nothing new comes, as far as one looks.
    private let cycle: Int

    /// Unicode scalars: the longest value that OpenStreetMap stores.
    public static let maximumLength = 255
    /// Days in which a change is looked for.
    public static let horizon = 366
    /// The same if every week is like the other one. In three there is one without a change of the clocks.
    private static let weeklyCycle = 21

    /// Nil if any of it is not understood. Then it can only be shown as it was written.
    public init?(_ text: String) {
        guard text.utf8.count <= 4 * OpeningHours.maximumLength,
            text.unicodeScalars.count <= OpeningHours.maximumLength,
            let rules = OpeningHoursReader.read(text),
            // Nothing would be closed by `off` at certain times if no rule is before it.
            let first = rules.first(where: \.canApply),
            first.spans.isEmpty || first.status != .closed
        else { return nil }
        (self.text, self.rules) = (text, rules)
        cycle =
            rules.allSatisfy(\.isWeekly) ? OpeningHours.weeklyCycle : OpeningHours.horizon
    }

    // MARK: Moments

    /// - Parameter offset: of the zone in which the place is. While its clocks repeat an hour, what
    ///   is over stays over.
    public func status(at moment: Timestamp, offset: ZoneOffset) -> Status {
        let time = CivilDateTime.latest(at: moment, offset: offset)
        let day = OpeningDay(time.date)
        return status(day, after: day.yesterday, at: time.time.seconds / 60)
    }

    /// The first moment after another one at which the status is another; nil if it stays the same for
    /// ``horizon`` days.
    public func nextChange(after moment: Timestamp, offset: ZoneOffset)
        -> (at: Timestamp, to: Status)?
    {
        change(after: moment, offset) { _ in true }
    }

    /// The first moment after another one at which it opens, for certain; nil if there is none in
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
                // If clocks are set just then, they show something later.
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

    /// The minutes of a day at which its status may change, ascending.
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
