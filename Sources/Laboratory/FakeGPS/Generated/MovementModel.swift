internal import Tracking

/// How a person moves along a way: at what speed, and how often they stop.
struct MovementModel {
    /// The state after one second.
    struct State {
        /// Metres from the start of the way.
        var distance: Double
        /// Metres per second.
        var speed: Double
    }

    /// Cruising speed in metres per second; chosen again at each crossing.
    var cruise: ClosedRange<Double>
    /// Speed around a corner, in metres per second.
    var turn: Double
    /// Acceleration and braking, in metres per second squared.
    var acceleration: Double
    var braking: Double
    /// The probability of having to wait at a crossing, and for how many seconds.
    var waitChance: Double
    var wait: ClosedRange<Double>

    static let onFoot = MovementModel(
        cruise: 1.2...1.55, turn: 1.2, acceleration: 0.7, braking: 0.9, waitChance: 0.14,
        wait: 4...40)
    static let byCar = MovementModel(
        cruise: 8...14, turn: 4.5, acceleration: 1.6, braking: 2.2, waitChance: 0.22, wait: 6...45)

    /// Simulation steps per second.
    private static let resolution = 4
    /// Minimum speed in metres per second, so that no one gets stuck short of a stop line.
    private static let creep = 0.4

    /// - Returns: the state at each second, from standing at the start to standing at the end.
    func move(along way: Polyline, using random: inout SplitMix64) -> [State] {
        var limits = way.crossings.map { crossing in
            let waits = random.nextUnit() < waitChance
            return Limit(
                distance: crossing.distance,
                speed: waits ? 0 : crossing.isTurn ? turn : .infinity,
                wait: waits ? random.next(in: wait) : 0, cruise: random.next(in: self.cruise))
        }
        limits.append(Limit(distance: way.length, speed: 0, wait: 0, cruise: 0))
        var states = [State(distance: 0, speed: 0)]
        var (distance, speed, next, steps) = (0.0, 0.0, 0, 0)
        var (waiting, cruise) = (0.0, random.next(in: self.cruise))
        let step = 1 / Double(MovementModel.resolution)
        while next < limits.count {
            if waiting > 0 {
                waiting -= step
                speed = 0
            } else {
                var allowed =
                    speed > cruise
                    ? max(cruise, speed - braking * step)
                    : min(cruise, speed + acceleration * step)
                let horizon = distance + allowed * allowed / (2 * braking) + 1
                for limit in limits[next...].prefix(while: { $0.distance <= horizon }) {
                    let left = max(0, limit.distance - distance)
                    let square = limit.speed * limit.speed + 2 * braking * left
                    allowed = min(allowed, square.squareRoot())
                }
                speed = max(MovementModel.creep, allowed)
                distance = min(way.length, distance + speed * step)
            }
            while next < limits.count, limits[next].distance <= distance + 0.05 {
                waiting = max(waiting, limits[next].wait)
                cruise = limits[next].cruise
                next += 1
            }
            steps += 1
            if steps.isMultiple(of: MovementModel.resolution) {
                states.append(State(distance: distance, speed: waiting > 0 ? 0 : speed))
            }
        }
        states.append(State(distance: way.length, speed: 0))
        return states
    }

    private struct Limit {
        var distance: Double
        /// The speed for passing it; 0 to stop there.
        var speed: Double
        var wait: Double
        /// The cruising speed on the street after it.
        var cruise: Double
    }
}
