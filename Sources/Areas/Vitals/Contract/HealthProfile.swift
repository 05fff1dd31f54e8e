public import JSON
public import Tracking

/// What a person says of themselves; age and gender go to dispatch with a call.
public struct HealthProfile: Hashable, Sendable {
    /// The number by which the state or an insurance knows the person, as written.
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

    /// In characters.
    public static let longestResidence = 100

    /// Letters and digits alone, as two spellings of a number have them in common.
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
        // A day that does not exist would be another one.
        guard day.rfc3339.hasPrefix(text) else { return nil }
    }

    public static func < (left: DateOfBirth, right: DateOfBirth) -> Bool {
        left.description < right.description
    }

    /// Its beginning in UTC.
    public var start: Timestamp {
        Timestamp(rfc3339: description + "T00:00:00Z") ?? DateOfBirth.earliest
    }

    private static let earliest = Timestamp(milliseconds: -2_208_988_800_000)
}

// MARK: JSON

extension HealthProfile {
    /// What is to be changed: nil leaves a value as it is, and nil in it deletes it.
    public struct Change: Sendable {
        var ssn: String??
        var gender: Gender??
        var dateOfBirth: DateOfBirth??
        var residence: String??
        /// Whether the privacy statement is accepted with it.
        public internal(set) var isAccepting = false

        /// Whether any value is to be changed.
        public var changesAnything: Bool {
            ssn != nil || gender != nil || dateOfBirth != nil || residence != nil
        }
    }

    public mutating func apply(_ change: Change) {
        ssn = change.ssn ?? ssn
        gender = change.gender ?? gender
        dateOfBirth = change.dateOfBirth ?? dateOfBirth
        residence = change.residence ?? residence
    }

    /// Restores a stored profile; nil if it is damaged.
    public init?(_ stored: [UInt8]) {
        guard let value = JSONValue(parsing: stored, isOurs: true) else { return nil }
        ssn = value["ssn"]?.text
        gender = value["gender"]?.text.flatMap { Gender(rawValue: $0) }
        dateOfBirth = value["dateOfBirth"]?.text.flatMap { DateOfBirth($0) }
        residence = value["residence"]?.text
    }

    public var stored: [UInt8] { JSONWriter.object { $0.profile(self) } }
}

extension JSONWriter {
    /// The members of an object.
    public mutating func profile(_ profile: HealthProfile) {
        member("ssn", profile.ssn)
        member("gender", profile.gender?.rawValue)
        member("dateOfBirth", profile.dateOfBirth?.description)
        member("residence", profile.residence)
    }
}

extension Fields {
    /// Reads a change; all fields are optional.
    mutating func profile(at now: Timestamp) -> HealthProfile.Change {
        var change = HealthProfile.Change()
        change.ssn = self.change("ssn") { $0.ssn("ssn") }
        change.gender = self.change("gender") { $0.gender("gender") }
        change.dateOfBirth = self.change("dateOfBirth") { $0.dateOfBirth("dateOfBirth", at: now) }
        change.residence = self.change("residence") {
            $0.text("residence", atMost: HealthProfile.longestResidence, isLine: true)
        }
        if self["acceptPrivacyStatement"] != nil {
            change.isAccepting = self["acceptPrivacyStatement"] == .bool(true)
            if !change.isAccepting { refuse("acceptPrivacyStatement", "must be true") }
        }
        return change
    }

    /// - Returns: nil if the field is absent or refused; nil inside if it is `null`.
    private mutating func change<Value>(
        _ field: String, _ read: (inout Fields) -> Value?
    ) -> Value?? {
        if isNull(field) { return .some(nil) }
        return self[field] == nil ? nil : read(&self).map { .some($0) }
    }

    private mutating func gender(_ field: String) -> HealthProfile.Gender? {
        guard let text = string(field) else { return nil }
        let gender = HealthProfile.Gender(rawValue: text)
        if gender == nil { refuse(field, "must be female, male or other") }
        return gender
    }

    private mutating func dateOfBirth(_ field: String, at now: Timestamp) -> DateOfBirth? {
        guard let text = string(field) else { return nil }
        let day = DateOfBirth(text).flatMap { $0.start <= now ? $0 : nil }
        if day == nil { refuse(field, "must be a day like 1970-01-31, since 1900 and not to come") }
        return day
    }

    /// A social security number, as written.
    mutating func ssn(_ field: String) -> String? {
        guard let text = string(field) else { return nil }
        guard (4...32).contains(HealthProfile.normalized(ssn: text).count), text.utf8.count <= 40
        else {
            refuse(field, "must have 4 to 32 letters and digits")
            return nil
        }
        return text
    }
}
