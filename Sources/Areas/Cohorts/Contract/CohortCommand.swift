public import Anonymity
public import Tracking

/// What companies and services ask of cohorts.
public enum CohortCommand: AreaCommand {
    /// - Parameter window: nil for the last day that is complete.
    case query(CohortFilter, window: Range<Int>?)
    case subscribe(CohortFilter)
    case unsubscribe(UUIDv7)
    case subscriptions

    /// In hours: 31 days.
    public static let longestWindow = 31 * 24
    /// In hours, if a question says nothing.
    public static let usualWindow = 24

    static func query(_ fields: inout Fields) -> CohortCommand? {
        let filter = fields.cohortFilter()
        let (from, to) = (fields.hour(ifPresent: "from"), fields.hour(ifPresent: "to"))
        guard let filter else { return nil }
        if fields["from"] == nil, fields["to"] == nil { return .query(filter, window: nil) }
        guard let from, let to else {
            if fields["from"] == nil { fields.refuse("from", "is missing") }
            if fields["to"] == nil { fields.refuse("to", "is missing") }
            return nil
        }
        guard from < to, to - from <= longestWindow else {
            fields.refuse("to", "must be later than from, by at most \(longestWindow) hours")
            return nil
        }
        return .query(filter, window: from..<to)
    }

    static func subscribe(_ fields: inout Fields) -> CohortCommand? {
        fields.cohortFilter().map { .subscribe($0) }
    }
}

extension Fields {
    /// - Returns: nil if something was refused.
    mutating func cohortFilter() -> CohortFilter? {
        let gender = string(ifPresent: "gender")
        if let gender, HealthProfile.Gender(rawValue: gender) == nil {
            refuse("gender", "must be female, male or other")
        }
        let residence = string(ifPresent: "residence").map {
            HealthProfile.normalized(residence: $0)
        }
        var ages: (from: Int64?, to: Int64?) = (nil, nil)
        if self["age"] != nil {
            ages =
                nested("age") { fields in
                    let all = 0...Int64(CohortFilter.oldestAge)
                    return (
                        fields.integer(ifPresent: "from", in: all),
                        fields.integer(ifPresent: "to", in: all)
                    )
                } ?? (nil, nil)
        }
        do throws(CohortFilter.Invalid) {
            let filter = try CohortFilter(
                ageFrom: ages.from.map { Int($0) }, to: ages.to.map { Int($0) }, gender: gender,
                residence: residence)
            return errors.isEmpty ? filter : nil
        } catch {
            switch error {
            case .ageNotInBands:
                refuse("age", "must begin and end at multiples of \(CohortFilter.ageBand)")
            case .ageOutOfRange: refuse("age", "must end after it begins, from 0 to 120")
            case .gender: refuse("gender", "must be female, male or other")
            case .residence: refuse("residence", "must have 1 to \(CohortFilter.longestKey) bytes")
            }
            return nil
        }
    }

    /// The number of a whole hour since the epoch.
    fileprivate mutating func hour(ifPresent field: String) -> Int? {
        guard let time = time(ifPresent: field) else { return nil }
        let (hour, rest) = time.milliseconds.quotientAndRemainder(dividingBy: 3_600_000)
        guard rest == 0 else {
            refuse(field, "must be a whole hour")
            return nil
        }
        return Int(hour)
    }
}

extension HealthProfile {
    /// Two spellings of a place, compared: without capitals and with single spaces.
    public static func normalized(residence: String) -> String {
        residence.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension DateOfBirth {
    /// In years, at a moment in UTC; 0 before the birth.
    public func age(at time: Timestamp) -> Int {
        let (birth, day) = (
            description.split(separator: "-"), time.rfc3339.prefix(10).split(separator: "-")
        )
        guard let born = Int(birth[0]), let year = Int(day[0]) else { return 0 }
        let hadBirthday = birth[1...].joined() <= day[1...].joined()
        return max(year - born - (hadBirthday ? 0 : 1), 0)
    }
}
