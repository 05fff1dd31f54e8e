/// The dates of a rule and its start, ascending.
///
/// It proceeds by periods: the days, weeks, months or years of the rule's frequency, every INTERVAL
/// of them. Each has a set of dates, from which BYSETPOS chooses (RFC 5545, 3.3.10).
struct RecurrenceDates: IteratorProtocol {
    private let rule: Recurrence
    private let start: CivilDate
    private let from: CivilDate
    /// The weekdays of BYDAY that have no number.
    private let everyWeekday: NumberSet
    /// The numbers of the others, by weekday: from the first of the month or year …
    private let ordinals: [NumberSet]
    /// … and from the last one, which is 1.
    private let ordinalsFromEnd: [NumberSet]
    /// Whether the start has been returned.
    private var hasStarted = false
    /// How many dates are left of COUNT.
    private var left: Int?
    /// The next period; that of the start is 0.
    private var period = 0
    /// The number of periods computed.
    private(set) var seenPeriods = 0
    /// The approximate number of days examined.
    private(set) var seenDays = 0
    /// The dates of the last period.
    private var dates: [CivilDate] = []
    private var index = 0

    /// - Parameter from: the date before which no dates are wanted. Without COUNT the earlier
    ///   periods are skipped.
    init(_ rule: Recurrence, start: CivilDate, from: CivilDate) {
        (self.rule, self.start, self.from) = (rule, start, from)
        var weekdays = NumberSet()
        var ordinals = [NumberSet](repeating: NumberSet(), count: Weekday.allCases.count)
        var ordinalsFromEnd = ordinals
        for day in rule.weekdays {
            let weekday = day.weekday.rawValue
            switch day.ordinal {
            case 0: weekdays.insert(weekday)
            case 1...: ordinals[weekday].insert(day.ordinal)
            default: ordinalsFromEnd[weekday].insert(-day.ordinal)
            }
        }
        (everyWeekday, self.ordinals, self.ordinalsFromEnd) = (weekdays, ordinals, ordinalsFromEnd)
        switch rule.end {
        case .count(let count): left = count
        case .until, nil: if from > start { period = firstPeriod }
        }
    }

    mutating func next() -> CivilDate? {
        if !hasStarted {
            hasStarted = true
            count()
            if start >= from { return start }
        }
        var emptyPeriods = 0
        while left != 0 {
            while index < dates.count {
                let date = dates[index]
                index += 1
                guard date > start else { continue }
                count()
                if date >= from { return date }
                if left == 0 { return nil }
            }
            guard emptyPeriods < Recurrence.maximumEmptyPeriods(rule.frequency),
                left == nil || seenPeriods < Recurrence.maximumPeriods(rule.frequency), fill()
            else { return nil }
            seenPeriods += 1
            seenDays += daysInPeriod
            emptyPeriods = dates.isEmpty ? emptyPeriods + 1 : 0
        }
        return nil
    }

    /// The maximum, so that the days among which BYSETPOS chooses are also counted.
    private var daysInPeriod: Int {
        switch rule.frequency {
        case .daily: 2
        case .weekly: 7
        case .monthly: 31
        case .yearly: 366
        }
    }

    private mutating func count() { if let left { self.left = left - 1 } }

    /// The period of the wanted dates, or one before it.
    private var firstPeriod: Int {
        let distance: Int
        switch rule.frequency {
        case .daily: distance = from - start
        case .weekly: distance = (from - firstWeek) / 7
        case .monthly: distance = RecurrenceDates.monthNumber(from) - firstMonth
        case .yearly: distance = from.year - start.year
        }
        return distance / rule.interval
    }

    /// The first day of the week of the start.
    private var firstWeek: CivilDate { start + -start.weekday.days(since: rule.weekStart) }

    private var firstMonth: Int { RecurrenceDates.monthNumber(start) }

    private static func monthNumber(_ date: CivilDate) -> Int {
        let (year, month, _) = date.parts
        return year * 12 + month - 1
    }

    // MARK: Periods

    /// Computes the dates of the next period.
    ///
    /// - Returns: whether it is inside the years that have dates.
    private mutating func fill() -> Bool {
        dates.removeAll(keepingCapacity: true)
        index = 0
        let distance = period * rule.interval
        period += 1
        let isInside =
            switch rule.frequency {
            case .daily: fillDay(start + distance)
            case .weekly: fillWeek(firstWeek + distance * 7)
            case .monthly: fillMonth(firstMonth + distance)
            case .yearly: fillYear(start.year + distance)
            }
        if !rule.positions.isEmpty { choose() }
        return isInside
    }

    private mutating func fillDay(_ date: CivilDate) -> Bool {
        guard date <= .last else { return false }
        let (year, month, day) = date.parts
        guard rule.months.isEmpty || rule.months.contains(month) else {
            // Continues with the first day of the next month.
            let next =
                month == 12
                ? CivilDate(firstOf: year + 1) : CivilDate(firstOf: year, month: month + 1)
            period = max(period, (next - start + rule.interval - 1) / rule.interval)
            return true
        }
        let length = CivilDate.length(ofMonth: month, in: year)
        if !hasMonthDays || isMonthDay(day, of: length), isWeekday(date) { dates.append(date) }
        return true
    }

    private mutating func fillWeek(_ first: CivilDate) -> Bool {
        guard first <= .last else { return false }
        for day in 0..<7 {
            let date = first + day
            let isWanted =
                rule.weekdays.isEmpty ? date.weekday == start.weekday : isWeekday(date)
            if isWanted, date <= .last, rule.months.isEmpty || rule.months.contains(date.month) {
                dates.append(date)
            }
        }
        return true
    }

    private mutating func fillMonth(_ number: Int) -> Bool {
        let (year, month) = (number / 12, number % 12 + 1)
        guard CivilDate.years.contains(year) else { return false }
        if rule.months.isEmpty || rule.months.contains(month) {
            if !hasMonthDays, rule.weekdays.isEmpty {
                append(day: start.day, of: month, in: year)
            } else {
                fillMonth(month, of: year, numbersWithin: nil)
            }
        }
        return true
    }

    private mutating func fillYear(_ year: Int) -> Bool {
        guard CivilDate.years.contains(year) else { return false }
        let whole = CivilDate(firstOf: year)...(CivilDate(firstOf: year + 1) + -1)
        if !hasMonthDays, rule.weekdays.isEmpty {
            let (_, month, day) = start.parts
            for month in rule.months.isEmpty ? [month] : rule.months.numbers {
                append(day: day, of: month, in: year)
            }
        } else if rule.months.isEmpty, !hasMonthDays {
            appendWeekdays(within: whole)
        } else {
            for month in rule.months.isEmpty ? Array(1...12) : rule.months.numbers {
                fillMonth(month, of: year, numbersWithin: rule.months.isEmpty ? whole : nil)
            }
        }
        return true
    }

    /// Appends the days of a month selected by BYMONTHDAY and BYDAY.
    ///
    /// - Parameter range: the days within which BYDAY numbers the weekdays; nil for the month.
    private mutating func fillMonth(
        _ month: Int, of year: Int, numbersWithin range: ClosedRange<CivilDate>?
    ) {
        let length = CivilDate.length(ofMonth: month, in: year)
        let first = CivilDate(firstOf: year, month: month)
        let whole = first...(first + (length - 1))
        guard hasMonthDays else { return appendWeekdays(within: whole) }
        for day in 1...length where isMonthDay(day, of: length) {
            let date = first + (day - 1)
            if rule.weekdays.isEmpty || isWeekday(date, within: range ?? whole) {
                dates.append(date)
            }
        }
    }

    /// Appends nothing if the month has no such day.
    private mutating func append(day: Int, of month: Int, in year: Int) {
        if let date = CivilDate(year: year, month: month, day: day) { dates.append(date) }
    }

    // MARK: BYMONTHDAY and BYDAY

    private var hasMonthDays: Bool { !rule.days.isEmpty || !rule.daysFromEnd.isEmpty }

    private func isMonthDay(_ day: Int, of length: Int) -> Bool {
        rule.days.contains(day) || rule.daysFromEnd.contains(length + 1 - day)
    }

    /// Returns whether the date is a weekday without a number, or no weekdays are set.
    private func isWeekday(_ date: CivilDate) -> Bool {
        rule.weekdays.isEmpty || everyWeekday.contains(date.weekday.rawValue)
    }

    private func isWeekday(_ date: CivilDate, within range: ClosedRange<CivilDate>) -> Bool {
        let weekday = date.weekday.rawValue
        return everyWeekday.contains(weekday)
            || ordinals[weekday].contains((date - range.lowerBound) / 7 + 1)
            || ordinalsFromEnd[weekday].contains((range.upperBound - date) / 7 + 1)
    }

    private mutating func appendWeekdays(within range: ClosedRange<CivilDate>) {
        if rule.weekdays.allSatisfy({ $0.ordinal == 0 }) {
            var weekday = range.lowerBound.weekday.rawValue
            for day in 0...range.upperBound - range.lowerBound {
                if everyWeekday.contains(weekday) { dates.append(range.lowerBound + day) }
                weekday = weekday == 6 ? 0 : weekday + 1
            }
            return
        }
        let before = dates.count
        for rule in rule.weekdays {
            let first =
                range.lowerBound + rule.weekday.days(since: range.lowerBound.weekday)
            let count = (range.upperBound - first) / 7 + 1
            switch rule.ordinal {
            case 0: for week in 0..<count { dates.append(first + week * 7) }
            case 1...count: dates.append(first + (rule.ordinal - 1) * 7)
            case -count ... -1: dates.append(first + (count + rule.ordinal) * 7)
            default: break
            }
        }
        if rule.weekdays.count > 1 { sort(from: before) }
    }

    private mutating func sort(from index: Int) {
        let sorted = dates[index...].sorted()
        dates.removeSubrange(index...)
        for date in sorted where date != dates.last { dates.append(date) }
    }

    /// Applies BYSETPOS: the first is 1, the last one −1.
    private mutating func choose() {
        let indices = rule.positions.map { $0 > 0 ? $0 - 1 : dates.count + $0 }
        dates = Set(indices).sorted().filter(dates.indices.contains).map { dates[$0] }
    }
}
