extension Recurrence {
    /// Reads a rule as iCalendar writes it, without the prefix `RRULE:`: `FREQ=WEEKLY;BYDAY=MO,WE`.
    ///
    /// Names and values may have letters of either case. Parts for hours, minutes and seconds,
    /// numbered days of the year and numbered weeks are refused.
    public init(_ text: String) throws(Refusal) {
        guard text.utf8.count <= Recurrence.maximumLength else { throw .tooLong }
        let values = try Recurrence.parts(text)
        guard let name = values[.frequency] else { throw .missing(.frequency) }
        guard let frequency = Frequency(rawValue: name) else {
            throw Recurrence.otherFrequencies.contains(name)
                ? .unsupportedFrequency : .invalid(.frequency)
        }
        self.init(frequency)
        for part in Part.allCases {
            guard let value = values[part] else { continue }
            try read(part, value)
        }
        try checkTogether(values)
    }

    private static let otherFrequencies = ["SECONDLY", "MINUTELY", "HOURLY"]

    /// Returns the values of the parts, in capitals.
    private static func parts(_ text: String) throws(Refusal) -> [Part: String] {
        var values: [Part: String] = [:]
        for part in text.uppercased().split(separator: ";", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false)
            guard sides.count == 2 else { throw .malformed }
            guard let part = Part(rawValue: String(sides[0])) else { throw .unknownPart }
            guard values.updateValue(String(sides[1]), forKey: part) == nil else {
                throw .repeated(part)
            }
        }
        return values
    }

    private mutating func read(_ part: Part, _ value: String) throws(Refusal) {
        switch part {
        case .frequency: break
        case .bySecond, .byMinute, .byHour, .byYearDay, .byWeekNumber: throw .unsupported(part)
        case .interval:
            interval = try Recurrence.number(value, in: 1...Recurrence.maximumInterval, part)
        case .count:
            end = .count(try Recurrence.number(value, in: 1...Recurrence.maximumCount, part))
        case .until:
            guard let limit = Limit(value) else { throw .invalid(part) }
            end = .until(limit)
        case .byMonth:
            for number in try Recurrence.numbers(value, upTo: 12, part) {
                guard number > 0 else { throw .invalid(part) }
                months.insert(number)
            }
        case .byMonthDay:
            for number in try Recurrence.numbers(value, upTo: 31, part) {
                if number > 0 { days.insert(number) } else { daysFromEnd.insert(-number) }
            }
        case .byDay: try readWeekdays(value)
        case .bySetPosition:
            positions = Set(try Recurrence.numbers(value, upTo: 366, part)).sorted()
        case .weekStart:
            guard let weekday = Weekday(value) else { throw .invalid(part) }
            weekStart = weekday
        }
    }

    /// Reads `MO,-1FR`.
    private mutating func readWeekdays(_ value: String) throws(Refusal) {
        var rules: Set<WeekdayRule> = []
        for item in value.split(separator: ",", omittingEmptySubsequences: false) {
            guard let weekday = Weekday(item.suffix(2)) else { throw .invalid(.byDay) }
            let number = item.dropLast(2)
            let ordinal =
                number.isEmpty
                ? 0 : try Recurrence.number(number, in: -53...53, .byDay, isSigned: true)
            guard number.isEmpty || ordinal != 0 else { throw .invalid(.byDay) }
            rules.insert(WeekdayRule(ordinal: ordinal, weekday: weekday))
        }
        weekdays = rules.sorted()
    }

    private func checkTogether(_ values: [Part: String]) throws(Refusal) {
        if values[.count] != nil, values[.until] != nil { throw .bothCountAndUntil }
        switch frequency {
        case .daily, .weekly:
            if weekdays.contains(where: { $0.ordinal != 0 }) { throw .numberedWeekday(frequency) }
            if frequency == .weekly, values[.byMonthDay] != nil {
                throw .excluded(.byMonthDay, by: frequency)
            }
        case .monthly, .yearly: break
        }
        if !positions.isEmpty, values[.byDay] == nil, values[.byMonthDay] == nil,
            values[.byMonth] == nil
        {
            throw .nothingToChooseFrom
        }
    }

    // MARK: Numbers

    /// Reads `1,-15`: numbers from −limit to limit, without 0.
    private static func numbers(_ value: String, upTo limit: Int, _ part: Part) throws(Refusal)
        -> [Int]
    {
        var numbers: [Int] = []
        for item in value.split(separator: ",", omittingEmptySubsequences: false) {
            let number = try number(item, in: -limit...limit, part, isSigned: true)
            guard number != 0 else { throw .invalid(part) }
            numbers.append(number)
        }
        return numbers
    }

    private static func number(
        _ text: some StringProtocol, in range: ClosedRange<Int>, _ part: Part,
        isSigned: Bool = false
    ) throws(Refusal) -> Int {
        let hasSign = text.hasPrefix("+") || text.hasPrefix("-")
        guard !hasSign || isSigned, let number = Int(text), range.contains(number) else {
            throw .invalid(part)
        }
        return number
    }
}

extension Recurrence.Limit {
    /// Reads `19971224`, `19971224T000000` or `19971224T000000Z` (RFC 5545, 3.3.4 and 3.3.5).
    init?(_ text: String) {
        var digits = Digits(text)
        guard let year = digits.number(4), let month = digits.number(2),
            let day = digits.number(2), let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        if digits.isAtEnd {
            self = .date(date)
            return
        }
        guard digits.take("T"), let hour = digits.number(2), let minute = digits.number(2),
            let second = digits.number(2),
            let time = TimeOfDay(hour: hour, minute: minute, second: second)
        else { return nil }
        let local = CivilDateTime(date: date, time: time)
        let isUTC = digits.take("Z")
        guard digits.isAtEnd else { return nil }
        self = isUTC ? .moment(local.utc) : .local(local)
    }
}
