/// A service's position in a user's samples, from the newest back.
public struct SamplePlace: Hashable, Sendable, LosslessStringConvertible {
    /// The number of the oldest fix read; nil if none was.
    public var fix: Int64?
    /// The number of the oldest vital signs read.
    public var vitals: Int64?
    /// The entry of the user's log that records the reading.
    public var entry: Int64?

    public init(fix: Int64? = nil, vitals: Int64? = nil, entry: Int64? = nil) {
        (self.fix, self.vitals, self.entry) = (fix, vitals, entry)
    }

    /// Parses ``description``.
    public init?(_ text: String) {
        guard text.utf8.count <= SamplePlace.maximumLength else { return nil }
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let numbers = parts.map { Int64($0) }
        self.init(fix: numbers[0], vitals: numbers[1], entry: numbers[2])
        guard numbers.allSatisfy({ $0 ?? 1 > 0 }), description == text else { return nil }
    }

    public var description: String {
        [fix, vitals, entry].map { $0.map { "\($0)" } ?? "" }.joined(separator: "_")
    }

    /// Bytes: more than three numbers need.
    private static let maximumLength = 64
}
