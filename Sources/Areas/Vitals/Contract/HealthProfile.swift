internal import JSON
public import Tracking

/// A person's statements about themselves; age and gender are sent to dispatch with a call.
public struct HealthProfile: Hashable, Sendable {
    /// The person's number with the state or an insurance, as written.
    public var ssn: String?
    public var gender: Gender?
    public var dateOfBirth: DateOfBirth?
    /// The town or region.
    public var residence: String?

    public enum Gender: String, Hashable, Sendable, CaseIterable {
        case female, male, other
    }

    public init() {}

    public var isEmpty: Bool { self == HealthProfile() }

    /// Characters.
    public static let longestResidence = 100

    /// Returns only the letters and digits, which all spellings of a number have in common.
    public static func normalized(ssn: String) -> String {
        String(
            ssn.uppercased().unicodeScalars.filter { $0.isASCII && $0.properties.isAlphanumeric })
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isAlphanumeric: Bool { isAlphabetic || numericType != nil }
}

/// A day of the Gregorian calendar, `1970-01-31`.
public struct DateOfBirth: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let description: String

    /// Nil for anything else, and for days before 1900.
    public init?(_ text: String) {
        guard text.utf8.count == 10, let day = Timestamp(rfc3339: text + "T00:00:00Z"),
            day >= DateOfBirth.earliest
        else { return nil }
        description = text
        // A day that does not exist would be read as another one.
        guard day.rfc3339.hasPrefix(text) else { return nil }
    }

    public static func < (left: DateOfBirth, right: DateOfBirth) -> Bool {
        left.description < right.description
    }

    /// The beginning of the day in UTC.
    public var start: Timestamp {
        Timestamp(rfc3339: description + "T00:00:00Z") ?? DateOfBirth.earliest
    }

    private static let earliest = Timestamp(milliseconds: -2_208_988_800_000)
}

// MARK: JSON

extension HealthProfile {
    /// A change of the profile.
    public struct Change: Sendable {
        let ssn: Edit<String>
        let gender: Edit<Gender>
        let dateOfBirth: Edit<DateOfBirth>
        let residence: Edit<String>
        /// Whether the privacy statement is accepted at the same time.
        public let isAccepting: Bool

        /// Whether any value is changed.
        public var changesAnything: Bool {
            !(ssn.isKeeping && gender.isKeeping && dateOfBirth.isKeeping && residence.isKeeping)
        }

        static let form = Form(
            Form("ssn", .ssn, "a social security number").orNull,
            Form("gender", .choice(of: Gender.self)).orNull,
            Form("dateOfBirth", .dateOfBirth).orNull,
            Form("residence", .line(atMost: longestResidence), "the town or region").orNull,
            Form.isTrue("acceptPrivacyStatement").ifPresent
        ) { ssn, gender, dateOfBirth, residence, accepted in
            Change(
                ssn: ssn, gender: gender, dateOfBirth: dateOfBirth, residence: residence,
                isAccepting: accepted != nil)
        }
    }

    public mutating func apply(_ change: Change) {
        ssn = change.ssn.applied(to: ssn)
        gender = change.gender.applied(to: gender)
        dateOfBirth = change.dateOfBirth.applied(to: dateOfBirth)
        residence = change.residence.applied(to: residence)
    }

    /// Restores a stored profile; nil if it is damaged.
    public init?(_ stored: [UInt8]) {
        guard let value = JSONValue(parsing: stored, isOurs: true) else { return nil }
        ssn = value["ssn"]?.text
        gender = value["gender"]?.text.flatMap { Gender(rawValue: $0) }
        dateOfBirth = value["dateOfBirth"]?.text.flatMap { DateOfBirth($0) }
        residence = value["residence"]?.text
    }

    public var stored: [UInt8] { HealthProfile.payload.bytes(of: self) }

    static let payload = Payload<HealthProfile>(
        .init("ssn", .text) { $0.ssn },
        .init("gender", .choice) { $0.gender },
        .init("dateOfBirth", .text(as: Kind<DateOfBirth>.dateOfBirth)) {
            $0.dateOfBirth?.description
        },
        .init("residence", .text) { $0.residence })
}

extension Edit {
    fileprivate var isKeeping: Bool { if case .keep = self { true } else { false } }
}

extension Kind where Value == DateOfBirth {
    private static let rule = "must be a day such as 1970-01-31, from 1900 to today"

    fileprivate static let dateOfBirth = Kind.text(orRefuse: rule) { DateOfBirth($0) }
        .checked { day, circumstances in day.start <= circumstances.now ? nil : rule }
}

extension Kind where Value == String {
    /// A social security number, as written.
    static let ssn = Kind.text(orRefuse: "must have 4 to 32 letters and digits") { text in
        let length = HealthProfile.normalized(ssn: text).count
        return (4...32).contains(length) && text.utf8.count <= 40 ? text : nil
    }
}
