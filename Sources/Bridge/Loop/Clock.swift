internal import Foundation
internal import Tracking

/// The server's clock, and a steady one beside it that tells when the first was set.
struct Clock {
    private var lastWall: Timestamp
    private var lastSteady: ContinuousClock.Instant

    /// A difference that no correction of a running clock makes.
    private static let jump = Duration.seconds(5)

    init() {
        lastWall = Clock.wall
        lastSteady = .now
    }

    static var wall: Timestamp {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    /// The time, and whether the clock was set since the last look (or the machine slept).
    mutating func look() -> (now: Timestamp, jumped: Bool) {
        let (wall, steady) = (Clock.wall, ContinuousClock.now)
        defer { (lastWall, lastSteady) = (wall, steady) }
        let difference = (wall - lastWall) - (steady - lastSteady)
        return (wall, difference > Clock.jump || difference < .zero - Clock.jump)
    }
}
