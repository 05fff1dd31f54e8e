/// One of the rules of opening hours: its days, times and status.
struct OpeningRule: Hashable, Sendable {
    /// Whether it follows a comma, and adds to the rules before.
    var isAdditional = false
    /// Empty for all the year.
    var dates: [DateRange] = []
    /// Weekdays without numbers; none if the rule is for holidays alone.
    var weekdays = NumberSet(0...6)
    var numberedWeekdays: [NumberedWeekday] = []
    /// Empty for whole days.
    var spans: [Span] = []
    var status = OpeningHours.Status.open

    /// Minutes.
    static let day = 1_440

    /// Days of every year; a range may cross the year's end.
    struct DateRange: Hashable, Sendable {
        let from: MonthDay
        /// Included.
        let to: MonthDay

        func contains(_ day: MonthDay) -> Bool {
            from <= to ? from <= day && day <= to : from <= day || day <= to
        }
    }

    struct MonthDay: Hashable, Comparable, Sendable {
        /// 1...12.
        let month: Int
        /// 1...31, whatever the month.
        let day: Int

        static func < (left: MonthDay, right: MonthDay) -> Bool {
            (left.month, left.day) < (right.month, right.day)
        }
    }

    /// `Sa[1,3]`, `Su[-1]`.
    struct NumberedWeekday: Hashable, Sendable {
        let weekday: Weekday
        /// 1...5.
        var numbers = NumberSet()
        /// 1 is the last one in the month.
        var numbersFromEnd = NumberSet()
    }

    /// A stretch of time, in minutes since the midnight at which the day began.
    struct Span: Hashable, Sendable {
        /// 0...1440.
        let from: Int
        /// Not included; to 2880, at the end of the next day.
        var to: Int
        /// Whether it is unknown if it is still open.
        var isOpenEnd = false
    }

    /// The rule's verdict about a moment on a day to which it applies, or on the day after.
    enum Verdict: Hashable, Sendable {
        case says(OpeningHours.Status)
        /// The rules before it no longer apply to that day.
        case replaces
        case silent
    }

    /// - Parameter minute: since midnight; on the next day from 1440 on.
    func verdict(at minute: Int) -> Verdict {
        let leavesOthers = isAdditional || status == .closed
        if spans.isEmpty {
            if status == .closed { return .replaces }
            return minute < OpeningRule.day ? .says(status) : isAdditional ? .silent : .replaces
        }
        var isOpenEnd = false
        for span in spans where span.from <= minute && minute < span.to {
            if !span.isOpenEnd { return .says(status) }
            isOpenEnd = true
        }
        if isOpenEnd { return .says(status == .open ? .unknown : status) }
        return leavesOthers ? .silent : .replaces
    }

    // MARK: Days

    /// Whether it can apply to any day.
    var canApply: Bool { !weekdays.isEmpty || !numberedWeekdays.isEmpty }

    /// Whether all weeks are alike.
    var isWeekly: Bool { dates.isEmpty && numberedWeekdays.isEmpty }

    func applies(on day: OpeningDay) -> Bool {
        guard
            weekdays.contains(day.weekday.rawValue)
                || numberedWeekdays.contains(where: day.matches)
        else { return false }
        return dates.isEmpty || dates.contains { $0.contains(day.monthDay) }
    }
}

/// A day, as the rules see it.
struct OpeningDay {
    let date: CivilDate
    let weekday: Weekday
    let monthDay: OpeningRule.MonthDay
    private let daysOfMonth: Int

    init(_ date: CivilDate) {
        self.date = date
        weekday = date.weekday
        let (year, month, day) = date.parts
        monthDay = OpeningRule.MonthDay(month: month, day: day)
        daysOfMonth = CivilDate.length(ofMonth: month, in: year)
    }

    var yesterday: OpeningDay { OpeningDay(date + -1) }

    func matches(_ numbered: OpeningRule.NumberedWeekday) -> Bool {
        numbered.weekday == weekday
            && (numbered.numbers.contains((monthDay.day - 1) / 7 + 1)
                || numbered.numbersFromEnd.contains((daysOfMonth - monthDay.day) / 7 + 1))
    }
}
