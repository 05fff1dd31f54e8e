extension Recurrence {
    /// The parts of a rule in RFC 5545.
    public enum Part: String, Hashable, CaseIterable, Sendable {
        case frequency = "FREQ"
        case until = "UNTIL"
        case count = "COUNT"
        case interval = "INTERVAL"
        case bySecond = "BYSECOND"
        case byMinute = "BYMINUTE"
        case byHour = "BYHOUR"
        case byDay = "BYDAY"
        case byMonthDay = "BYMONTHDAY"
        case byYearDay = "BYYEARDAY"
        case byWeekNumber = "BYWEEKNO"
        case byMonth = "BYMONTH"
        case bySetPosition = "BYSETPOS"
        case weekStart = "WKST"
    }

    /// Why a text is not a rule, or not one that is supported here.
    public enum Refusal: Error, Hashable, Sendable {
        case tooLong
        /// It is not `NAME=VALUE;NAME=VALUE`.
        case malformed
        /// A part that is not in RFC 5545.
        case unknownPart
        case missing(Part)
        case repeated(Part)
        case unsupported(Part)
        /// Another frequency than those of ``Frequency``.
        case unsupportedFrequency
        /// The value is invalid for the part.
        case invalid(Part)
        /// Only one of them can end the rule.
        case bothCountAndUntil
        /// RFC 5545 does not allow the part with the frequency.
        case excluded(Part, by: Frequency)
        /// Nor weekdays with a number, such as `1MO`.
        case numberedWeekday(Frequency)
        /// BYSETPOS without another part to choose from.
        case nothingToChooseFrom

        /// The refused part; nil if there is no particular one.
        public var part: Part? {
            switch self {
            case .tooLong, .malformed, .unknownPart: nil
            case .missing(let part), .repeated(let part), .unsupported(let part),
                .invalid(let part), .excluded(let part, by: _):
                part
            case .unsupportedFrequency: .frequency
            case .bothCountAndUntil: .until
            case .numberedWeekday: .byDay
            case .nothingToChooseFrom: .bySetPosition
            }
        }

        /// For people who know iCalendar's rules. It repeats nothing of the text.
        public var sentence: String {
            switch self {
            case .tooLong: "the rule is longer than \(Recurrence.maximumLength) characters"
            case .malformed: "a rule is written as FREQ=DAILY;INTERVAL=2"
            case .unknownPart: "the rule has a part unknown to RFC 5545"
            case .missing(let part): "\(part.rawValue) is missing"
            case .repeated(let part): "\(part.rawValue) is there twice"
            case .unsupported(let part): "\(part.rawValue) is not supported"
            case .unsupportedFrequency: "FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY"
            case .invalid(.interval): "INTERVAL must be from 1 to \(Recurrence.maximumInterval)"
            case .invalid(.count): "COUNT must be from 1 to \(Recurrence.maximumCount)"
            case .invalid(let part): "the value of \(part.rawValue) is not understood"
            case .bothCountAndUntil: "COUNT and UNTIL exclude each other"
            case .excluded(let part, let frequency):
                "\(part.rawValue) cannot be used with FREQ=\(frequency.rawValue)"
            case .numberedWeekday(let frequency):
                "BYDAY cannot have numbers with FREQ=\(frequency.rawValue)"
            case .nothingToChooseFrom: "BYSETPOS needs BYDAY, BYMONTHDAY or BYMONTH"
            }
        }
    }
}
