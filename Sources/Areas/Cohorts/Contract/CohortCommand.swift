public import Anonymity
public import Tracking

/// The requests of companies and services about cohorts.
public enum CohortCommand: AreaCommand {
    /// - Parameter window: nil for the last complete day.
    case query(CohortFilter, window: Range<Int>?)
    case subscribe(CohortFilter)
    case unsubscribe(UUIDv7)
    case subscriptions

    /// Hours: 31 days.
    public static let longestWindow = 31 * 24
    /// Hours, by default.
    public static let usualWindow = 24

    static let question = Form(filter, window) { CohortCommand.query($0, window: $1) }

    static let subscription = filter.map { CohortCommand.subscribe($0) }

    private static let filter = Form(
        Form("age", .ages, "in multiples of \(CohortFilter.ageBand)").ifPresent,
        Form("gender", .choice(of: HealthProfile.Gender.self)).ifPresent,
        Form("residence", .residence).ifPresent
    ) { (ages: $0, gender: $1, residence: $2) }.reading { parts, fields, _ in
        do throws(CohortFilter.Invalid) {
            return try CohortFilter(
                ageFrom: parts.ages?.from, to: parts.ages?.to, gender: parts.gender?.rawValue,
                residence: parts.residence)
        } catch {
            // Each field is valid on its own.
            fields.refuse("age", "does not fit the other fields")
            return nil
        }
    }

    private static let window = Form(Form("from", .hour), Form("to", .hour)) { (from: $0, to: $1) }
        .reading { hours, fields, _ -> Range<Int>? in
            guard hours.from < hours.to, hours.to - hours.from <= longestWindow else {
                fields.refuse("to", "must be later than from, by at most \(longestWindow) hours")
                return nil
            }
            return hours.from..<hours.to
        }.ifPresent
}

extension Kind where Value == (from: Int?, to: Int?) {
    fileprivate static let ages = Kind.object(
        Form(
            Form("from", .integer(0...CohortFilter.oldestAge)).ifPresent,
            Form("to", .integer(0...CohortFilter.oldestAge)).ifPresent
        ) { (from: $0, to: $1) }
    ).checked { ages, _ in
        do throws(CohortFilter.Invalid) {
            _ = try CohortFilter(ageFrom: ages.from, to: ages.to)
            return nil
        } catch {
            return error == .ageNotInBands
                ? "must begin and end at multiples of \(CohortFilter.ageBand)"
                : "must end after it begins, from 0 to \(CohortFilter.oldestAge)"
        }
    }
}

extension Kind where Value == String {
    fileprivate static let residence = Kind.text(
        orRefuse: "must have 1 to \(CohortFilter.longestKey) bytes"
    ) { text in
        let residence = HealthProfile.normalized(residence: text)
        return (1...CohortFilter.longestKey).contains(residence.utf8.count) ? residence : nil
    }
}

extension Kind where Value == Int {
    /// The number of a full hour since the epoch.
    fileprivate static let hour = Kind<Timestamp>.time.checked { time, _ in
        time.milliseconds.isMultiple(of: 3_600_000) ? nil : "must be a whole hour"
    }.map { Int($0.milliseconds / 3_600_000) }
}

extension HealthProfile {
    /// Returns a residence in the form used for comparison: lower case, with single spaces.
    public static func normalized(residence: String) -> String {
        residence.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension DateOfBirth {
    /// Returns the age in years at a moment in UTC; 0 before the birth.
    public func age(at time: Timestamp) -> Int {
        let (birth, day) = (
            description.split(separator: "-"), time.rfc3339.prefix(10).split(separator: "-")
        )
        guard let born = Int(birth[0]), let year = Int(day[0]) else { return 0 }
        let hadBirthday = birth[1...].joined() <= day[1...].joined()
        return max(year - born - (hadBirthday ? 0 : 1), 0)
    }
}
