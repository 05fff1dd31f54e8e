internal import Numbers
public import Tracking

/// An invented walk, drive or commute; the same seed always gives the same one.
public struct GeneratedTrack: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        case walk
        case drive
        /// Walking to the car, driving, and walking from the car.
        case commute
    }

    public var kind: Kind
    public var start: Coordinate
    public var end: Coordinate
    public var seed: UInt64

    /// The allowed distance in metres, as the crow flies.
    public static let distances = 100.0...60_000.0
    /// The number of blocks between a door and the parked car.
    private static let parking = 2...4
    /// The time spent in the parked car, in seconds.
    private static let seating = 20.0...60.0

    /// Goes from one place in town to another, at a distance suitable for walking or driving.
    public init(_ kind: Kind, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pairs = kind == .walk ? GeneratedTrack.strolls : GeneratedTrack.rides
        let (start, end) = pairs[random.next(in: 0...(pairs.count - 1))]
        self.init(kind, from: start, to: end, seed: seed)
    }

    private static let strolls = pairs(within: 800...3000)
    private static let rides = pairs(within: 2000...20_000)

    /// - Parameter distances: in metres.
    private static func pairs(
        within distances: ClosedRange<Double>
    ) -> [(Coordinate, Coordinate)] {
        let places = Landmark.known.map(\.coordinate)
        return places.flatMap { start in
            places.filter { distances.contains(start.distance(to: $0)) }.map { (start, $0) }
        }
    }

    /// - Precondition: the distance is within ``distances``.
    public init(_ kind: Kind, from start: Coordinate, to end: Coordinate, seed: UInt64) {
        precondition(Self.distances.contains(start.distance(to: end)), "too near or too far")
        self.kind = kind
        self.start = start
        self.end = end
        self.seed = seed
    }

    /// - Parameter interval: the time between samples, in whole seconds; positive.
    public func track(every interval: Int = 5) -> Track {
        precondition(interval > 0, "an interval is positive")
        var random = SplitMix64(seed: seed ^ 0x9D5C_5C1F)
        let grid = StreetGrid(around: start)
        var wander = ReceiverNoise(deviation: random.next(in: 2...4), seed: random.next())
        let seconds = states(in: grid, using: &random)
        var samples: [Track.Sample] = []
        for (second, moment) in seconds.enumerated()
        where second.isMultiple(of: interval) || second == seconds.count - 1 {
            let offset = Duration.seconds(second)
            let place = moment.position + wander.error(at: offset)
            samples.append(
                Track.Sample(
                    offset: offset, coordinate: grid.plane.coordinate(at: place),
                    accuracy: wander.accuracy, speed: moment.speed,
                    heading: moment.speed > 0 ? moment.heading : nil))
        }
        return Track(samples: samples)
    }

    // MARK: True positions, second by second

    private struct State {
        var position: Vector
        var speed: Double
        var heading: Double
    }

    private func states(in grid: StreetGrid, using random: inout SplitMix64) -> [State] {
        let doors = (grid.plane.vector(to: start), grid.plane.vector(to: end))
        var stops = [doors.0]
        if kind == .commute {
            for door in [doors.0, doors.1] {
                stops.append(
                    grid.position(of: parking(near: grid.corner(nearest: door), using: &random)))
            }
        }
        stops.append(doors.1)
        var states: [State] = []
        for (leg, (from, to)) in zip(stops, stops.dropFirst()).enumerated() {
            let isDriven = kind == .drive || (kind == .commute && leg == 1)
            let way = Polyline(
                from: from,
                along: grid.way(
                    from: grid.corner(nearest: from), to: grid.corner(nearest: to),
                    run: isDriven ? 4...12 : 1...4, using: &random),
                to: to, in: grid)
            var segment = 0
            for moment in (isDriven ? MovementModel.byCar : .onFoot).move(
                along: way, using: &random)
            {
                let place = way.place(at: moment.distance, from: &segment)
                states.append(
                    State(position: place.position, speed: moment.speed, heading: place.heading))
            }
            guard leg < stops.count - 2, let last = states.last else { continue }
            let standing = Int(clamping: random.next(in: GeneratedTrack.seating))
            states += Array(repeating: last, count: standing)
        }
        return states
    }

    private func parking(
        near corner: StreetGrid.Corner, using random: inout SplitMix64
    ) -> StreetGrid.Corner {
        func blocks() -> Int {
            random.next(in: GeneratedTrack.parking) * (random.nextUnit() < 0.5 ? 1 : -1)
        }
        return corner + StreetGrid.Corner(column: blocks(), row: blocks())
    }
}
