public import JSON
public import Tracking

/// What a person says of themselves, for services and in an emergency.
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
    /// What is to be changed: of what is not named nothing is, and `null` deletes it.
    public struct Change: Sendable {
        fileprivate var texts: [(field: String, value: HealthProfile?)] = []
        /// Whether the privacy statement is accepted with it.
        public internal(set) var isAccepting = false

        /// Whether anything is to be changed.
        public var changesAnything: Bool { !texts.isEmpty }
    }

    public mutating func apply(_ change: Change) {
        for (field, value) in change.texts {
            switch field {
            case "ssn": ssn = value?.ssn
            case "gender": gender = value?.gender
            case "dateOfBirth": dateOfBirth = value?.dateOfBirth
            default: residence = value?.residence
            }
        }
    }

    /// Restores a stored profile; nil if it is damaged.
    public init?(_ stored: [UInt8]) {
        guard let value = try? JSONValue.parse(stored) else { return nil }
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
        func note(_ field: String, _ value: HealthProfile?) {
            change.texts.append((field, value))
        }
        for field in ["ssn", "gender", "dateOfBirth", "residence"] {
            if isNull(field) { note(field, nil) }
            guard self[field] != nil, let text = string(field) else { continue }
            var value = HealthProfile()
            switch field {
            case "ssn":
                value.ssn = ssn(field)
            case "gender":
                value.gender = HealthProfile.Gender(rawValue: text)
                if value.gender == nil { refuse(field, "must be female, male or other") }
            case "dateOfBirth":
                value.dateOfBirth = DateOfBirth(text).flatMap { $0.start <= now ? $0 : nil }
                if value.dateOfBirth == nil {
                    refuse(field, "must be a day like 1970-01-31, since 1900 and not to come")
                }
            default: value.residence = line(field, atMost: HealthProfile.longestResidence)
            }
            note(field, value)
        }
        if self["acceptPrivacyStatement"] != nil {
            change.isAccepting = self["acceptPrivacyStatement"] == .bool(true)
            if !change.isAccepting { refuse("acceptPrivacyStatement", "must be true") }
        }
        return change
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

    /// A line of text.
    private mutating func line(_ field: String, atMost limit: Int) -> String? {
        guard let text = chatText(field)?.text else { return nil }
        guard text.unicodeScalars.count <= limit, !text.contains(where: \.isNewline) else {
            refuse(field, "must be one line of at most \(limit) characters")
            return nil
        }
        return text
    }
}
