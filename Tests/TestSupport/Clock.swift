public import Tracking

/// Times on the day of the tests, 2026-05-01: `10:00:00`, or `10:00:00.001`.
extension Timestamp {
    public static let midnight = Timestamp(milliseconds: 1_777_593_600_000)
    public static let noon = midnight + .seconds(12 * 3600)
    public static let oneOClock = midnight + .seconds(13 * 3600)

    public init?(clock text: some StringProtocol) {
        let parts = text.split(separator: ":")
        guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]),
            let seconds = Double(parts[2])
        else { return nil }
        self =
            .midnight + .seconds((hours * 60 + minutes) * 60)
            + .milliseconds(Int64((seconds * 1000).rounded()))
    }

    public var clock: String {
        let inDay = milliseconds - Timestamp.midnight.milliseconds
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let whole =
            "\(two(inDay / 3_600_000)):\(two(inDay / 60_000 % 60)):\(two(inDay / 1000 % 60))"
        let rest = inDay % 1000
        return rest == 0 ? whole : whole + "." + "\(1000 + rest)".dropFirst()
    }
}
