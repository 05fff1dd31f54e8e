extension OpeningHoursReader {
    // MARK: Months

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func month(_ word: String) -> Int? { months.firstIndex(of: word).map { $0 + 1 } }

    /// Reads `Apr-Oct`, `Dec 24-26,31`, `Dec 24-Jan 6`, if there are any.
    mutating func readDates(_ rule: inout OpeningRule) -> Bool {
        var month: Int?
        repeat {
            if let next = takeWord(OpeningHoursReader.month) {
                month = next
            } else if rule.dates.isEmpty {
                return true
            }
            guard let first = month else { return false }
            let day = takeNumber(1...31)
            guard let (last, lastDay) = readRangeEnd(first, day) else { return false }
            let from = OpeningRule.MonthDay(month: first, day: day ?? 1)
            let to = OpeningRule.MonthDay(month: last, day: lastDay ?? 31)
            guard isDay(from), lastDay == nil || isDay(to) else { return false }
            rule.dates.append(OpeningRule.DateRange(from: from, to: to))
            month = lastDay == nil ? nil : last
        } while takeComma { reader in
            switch reader.following {
            case .number: month != nil
            case .word(let word): OpeningHoursReader.month(word) != nil
            default: false
            }
        }
        return true
    }

    /// Reads `-26`, `-Jan 6`, `-Oct`, or nothing: then the range is one day or month.
    private mutating func readRangeEnd(_ month: Int, _ day: Int?) -> (month: Int, day: Int?)? {
        guard take(.hyphen) else { return (month, day) }
        if let last = takeWord(OpeningHoursReader.month) { return (last, takeNumber(1...31)) }
        guard let day, let last = takeNumber(day...31) else { return nil }
        return (month, last)
    }

    private func isDay(_ day: OpeningRule.MonthDay) -> Bool {
        // Of a leap year.
        day.day <= CivilDate.length(ofMonth: day.month, in: 2_000)
    }

    // MARK: Weekdays

    private static func isHoliday(_ word: String) -> Bool { word == "ph" || word == "sh" }

    /// Reads `Mo-Fr`, `Sa,Su`, `Fr-Mo,PH`, `Sa[1]`, `PH Mo-Fr`, if there are any.
    mutating func readWeekdays(_ rule: inout OpeningRule) -> Bool {
        guard case .word(let word) = token,
            Weekday(word) != nil || OpeningHoursReader.isHoliday(word)
        else { return true }
        guard readWeekdayList(&rule) else { return false }
        if !rule.canApply, case .word(let word) = token, Weekday(word) != nil {
            // Holidays that are certain weekdays are holidays.
            guard readWeekdayList(&rule) else { return false }
            (rule.weekdays, rule.numberedWeekdays) = (NumberSet(), [])
        }
        return true
    }

    private mutating func readWeekdayList(_ rule: inout OpeningRule) -> Bool {
        rule.weekdays = NumberSet()
        repeat {
            if takeWord({ OpeningHoursReader.isHoliday($0) ? true : nil }) != nil {
                guard readHolidayOffset() else { return false }
            } else if let first = takeWord({ Weekday($0) }) {
                guard readWeekday(first, &rule) else { return false }
            } else {
                return false
            }
        } while takeComma { reader in
            guard case .word(let word) = reader.following else { return false }
            return Weekday(word) != nil || OpeningHoursReader.isHoliday(word)
        }
        return true
    }

    /// Reads `-1 day`, `+2 days`, or nothing.
    private mutating func readHolidayOffset() -> Bool {
        guard take(.hyphen) || take(.plus) else { return true }
        return takeNumber(1...31) != nil
            && takeWord { $0 == "day" || $0 == "days" ? true : nil } != nil
    }

    private mutating func readWeekday(_ first: Weekday, _ rule: inout OpeningRule) -> Bool {
        if take(.opening) {
            var numbered = OpeningRule.NumberedWeekday(weekday: first)
            guard readNumbers(&numbered) else { return false }
            rule.numberedWeekdays.append(numbered)
            return true
        }
        let isRange = take(.hyphen)
        guard let last = isRange ? takeWord({ Weekday($0) }) : first else { return false }
        for day in 0...last.days(since: first) {
            rule.weekdays.insert((first.rawValue + day) % 7)
        }
        return true
    }

    /// Reads `1,3]`, `1-2]`, `-1]`.
    private mutating func readNumbers(_ numbered: inout OpeningRule.NumberedWeekday) -> Bool {
        repeat {
            let isFromEnd = take(.hyphen)
            guard let first = takeNumber(1...5) else { return false }
            if isFromEnd {
                numbered.numbersFromEnd.insert(first)
            } else {
                let isRange = take(.hyphen)
                guard let last = isRange ? takeNumber(first...5) : first else { return false }
                for number in first...last { numbered.numbers.insert(number) }
            }
        } while take(.comma)
        return take(.closing)
    }
}
