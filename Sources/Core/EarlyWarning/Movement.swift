public import Tracking

/// Detects whether a person has been moving by their own strength for minutes: walking fast,
/// running, riding a bicycle.
///
/// It uses the speed between positions half a minute apart: shorter steps are mostly the positions'
/// error. A person who was faster than anyone rides is in a vehicle, even at the next traffic
/// lights.
public struct Movement: Hashable, Sendable {
    private struct Place: Hashable {
        let coordinate: Coordinate
        let at: Timestamp
    }

    /// The place from which the next step is measured.
    private var anchor: Place?
    private var movingSince: Timestamp?
    private var drivenAt: Timestamp?

    /// In metres a second.
    private static let speeds = 2.0...12.0
    private static let step = Duration.seconds(30)
    /// Nothing is known about the movement in a longer gap.
    private static let longestStep = Duration.seconds(120)
    /// Two steps: a sprint to a door does not explain a pulse.
    private static let least = Duration.seconds(60)
    /// How long after a speed beyond those a slow one may still be a vehicle's.
    private static let driving = Duration.seconds(600)

    public init() {}

    /// - Parameter coordinate: the carried device's position, in chronological order; an earlier
    ///   one is ignored.
    /// - Returns: whether the person is exerting themselves; false in the middle of a step, so that
    ///   it need not be recorded with each position.
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
