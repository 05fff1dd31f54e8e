extension Recurrence {
    /// The parts of a rule that RFC 5545 knows.
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

    /// Why a text is no rule, or none of those that are understood here.
    public enum Refusal: Error, Hashable, Sendable {
        case tooLong
        /// It is not `NAME=VALUE;NAME=VALUE`.
        case malformed
        /// A part that RFC 5545 does not know.
        case unknownPart
        case missing(Part)
        case repeated(Part)
        case unsupported(Part)
        /// Another frequency than those of ``Frequency``.
        case unsupportedFrequency
        /// The value is none that the part can have.
        case invalid(Part)
        /// One of them says when the rule ends.
        case bothCountAndUntil
        /// RFC 5545 does not let the part stand beside the frequency.
        case excluded(Part, by: Frequency)
        /// The same of weekdays with a number, such as `1MO`.
        case numberedWeekday(Frequency)
        /// BYSETPOS without another part to choose from.
        case nothingToChooseFrom

        /// The part that is refused; nil if it is none in particular.
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

        /// For people who know the rules of iCalendar. It repeats nothing of the text.
        public var sentence: String {
            switch self {
            case .tooLong: "the rule is longer than \(Recurrence.maximumLength) characters"
            case .malformed: "a rule is written as FREQ=DAILY;INTERVAL=2"
            case .unknownPart: "the rule has a part that RFC 5545 does not know"
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
