import Tracking

/// Times on the day of the scenarios, 2026-05-01: `10:00:00`, or `10:00:00.001`.
extension Timestamp {
    private static let midnight: Int64 = 1_777_593_600_000

    init?(clock text: some StringProtocol) {
        let parts = text.split(separator: ":")
        guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]),
            let seconds = Double(parts[2])
        else { return nil }
        self.init(
            milliseconds: Timestamp.midnight + (hours * 60 + minutes) * 60_000
                + Int64((seconds * 1000).rounded()))
    }

    var clock: String {
        let inDay = milliseconds - Timestamp.midnight
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let whole =
            "\(two(inDay / 3_600_000)):\(two(inDay / 60_000 % 60)):\(two(inDay / 1000 % 60))"
        let rest = inDay % 1000
        return rest == 0 ? whole : whole + "." + "\(1000 + rest)".dropFirst()
    }
}
