/// The people that a question is about: those who meet every given condition. Equal filters are the
/// same question.
public struct CohortFilter: Hashable, Sendable {
    /// Ages in years; the bounds are multiples of five, from 0 to 120. Nil includes people of
    /// unknown age.
    public let age: Range<Int>?
    public let gender: String?
    /// A key that the caller has normalized.
    public let residence: String?

    public static let oldestAge = 120
    public static let ageBand = 5
    /// The maximum length of a gender or a residence, in bytes of UTF-8.
    public static let longestKey = 100

    /// Why a filter is invalid.
    public enum Invalid: Error, Hashable, Sendable, CaseIterable {
        /// A bound is not a multiple of five.
        case ageNotInBands
        /// `from` is not below `to`, or a bound is below 0 or above 120.
        case ageOutOfRange
        /// Empty or too long.
        case gender, residence
    }

    /// Ages are half-open: from 30 to 35 excludes people who are 35.
    public init(
        ageFrom from: Int? = nil, to: Int? = nil, gender: String? = nil, residence: String? = nil
    ) throws(Invalid) {
        age = try Self.ages(from: from, to: to)
        guard Self.isKey(gender) else { throw .gender }
        guard Self.isKey(residence) else { throw .residence }
        (self.gender, self.residence) = (gender, residence)
    }

    /// Returns whether a person belongs to the cohort. An unknown value meets no condition.
    public func includes(age: Int?, gender: String?, residence: String?) -> Bool {
        (self.age.map { ages in age.map(ages.contains) ?? false } ?? true)
            && (self.gender == nil || self.gender == gender)
            && (self.residence == nil || self.residence == residence)
    }

    private static func ages(from: Int?, to: Int?) throws(Invalid) -> Range<Int>? {
        if from == nil && to == nil { return nil }
        let (from, to) = (from ?? 0, to ?? oldestAge)
        guard 0 <= from, from < to, to <= oldestAge else { throw .ageOutOfRange }
        guard from.isMultiple(of: ageBand), to.isMultiple(of: ageBand) else { throw .ageNotInBands }
        return from..<to
    }

    private static func isKey(_ text: String?) -> Bool {
        text.map { !$0.isEmpty && $0.utf8.count <= longestKey } ?? true
    }
}
