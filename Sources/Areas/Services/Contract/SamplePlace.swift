/// How far a service has read somebody's samples, from the newest back.
public struct SamplePlace: Hashable, Sendable, LosslessStringConvertible {
    /// The number of the oldest fix that was read; nil if none was.
    public var fix: Int64?
    /// The oldest sample of vital signs that was read; nil if none was.
    public var vitals: VitalsPlace?

    public init(fix: Int64? = nil, vitals: VitalsPlace? = nil) {
        (self.fix, self.vitals) = (fix, vitals)
    }

    /// As ``description`` writes it.
    public init?(_ text: String) {
        guard text.utf8.count <= SamplePlace.maximumLength else { return nil }
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let fix = Int64(parts[0])
        let vitals = VitalsPlace(String(parts[1]))
        guard fix != nil || parts[0].isEmpty, vitals != nil || parts[1].isEmpty else { return nil }
        self.init(fix: fix, vitals: vitals)
        guard fix ?? 1 > 0, description == text else { return nil }
    }

    public var description: String {
        "\(fix.map { "\($0)" } ?? "")_\(vitals?.description ?? "")"
    }

    /// In bytes: more than three numbers have.
    private static let maximumLength = 64
}
