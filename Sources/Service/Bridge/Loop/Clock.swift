internal import Clocks
internal import Tracking

/// The server's clock, and a steady clock that reveals when it was set.
struct Clock {
    private var last: ClockReading?

    /// A difference larger than any that slewing a running clock causes.
    private static let jump = Duration.seconds(5)

    /// - Returns: whether the clock was set (or the machine slept) since the last check.
    mutating func look(at moment: ClockReading) -> Bool {
        defer { last = moment }
        guard let last else { return false }
        let difference = (moment.wall - last.wall) - (moment.steady - last.steady)
        return difference > Clock.jump || difference < .zero - Clock.jump
    }
}
