import Foundation
import Tracking

/// The clocks of a time zone.
struct ZoneClock {
    private let zone: TimeZone

    /// Nil if there is no zone of that name: `Europe/Zurich`.
    init?(_ name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    /// The offset in seconds ahead of UTC.
    func offset(at moment: Timestamp) -> Int {
        zone.secondsFromGMT(
            for: Date(timeIntervalSince1970: Double(moment.milliseconds) / 1_000))
    }

    /// The same for a moment in milliseconds since 1970, as needed by `Reader`.
    var seconds: @Sendable (Int64) -> Int {
        { [zone] in
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0) / 1_000))
        }
    }
}
