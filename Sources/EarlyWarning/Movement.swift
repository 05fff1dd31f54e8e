public import Tracking

/// Whether somebody has been moving by their own strength for minutes: walking fast, running, riding a bicycle.
///
/// Positions half a minute apart say so, with the speed between them: shorter steps are mostly the error of the
/// positions. A person who was faster than anybody rides is in a vehicle, also at the next traffic lights.
public struct Movement: Hashable, Sendable {
    private struct Place: Hashable {
        let coordinate: Coordinate
        let at: Timestamp
    }

    /// From which the next step is measured.
    private var anchor: Place?
    private var movingSince: Timestamp?
    private var drivenAt: Timestamp?

    /// In metres a second.
    private static let speeds = 2.0...12.0
    private static let step = Duration.seconds(30)
    /// After a longer gap nothing is known of what was in it.
    private static let longestStep = Duration.seconds(120)
    /// Two steps: what explains a pulse is no sprint to a door.
    private static let least = Duration.seconds(60)
    /// How long after a speed beyond those a slow one may be that of a vehicle.
    private static let driving = Duration.seconds(600)

    public init() {}

    /// - Parameter coordinate: of the device that the person carries, in the order of time; an earlier
    ///   one is left out.
    /// - Returns: whether the person is exerting themselves; false in the middle of a step, so that it
    ///   need not be noted with each position.
    public mutating func move(to coordinate: Coordinate, at time: Timestamp) -> Bool {
        if let anchor, time <= anchor.at { return false }
        guard let start = anchor, time - start.at <= Movement.longestStep else {
            (anchor, movingSince) = (Place(coordinate: coordinate, at: time), nil)
            return false
        }
        guard time - start.at >= Movement.step else { return false }
        let speed =
            start.coordinate.distance(to: coordinate) / ((time - start.at) / .seconds(1))
        anchor = Place(coordinate: coordinate, at: time)
        if speed > Movement.speeds.upperBound { drivenAt = time }
        movingSince = Movement.speeds.contains(speed) ? movingSince ?? start.at : nil
        return isExertion(at: time)
    }

    private func isExertion(at time: Timestamp) -> Bool {
        guard let movingSince, time - movingSince >= Movement.least else { return false }
        return drivenAt.map { time - $0 > Movement.driving } ?? true
    }
}
