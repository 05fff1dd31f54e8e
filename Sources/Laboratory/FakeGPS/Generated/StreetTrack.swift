public import Tracking

/// An invented walk or drive along real streets; the same seed always gives the same one.
public struct StreetTrack: Hashable, Sendable {
    /// The points of the way, at least two.
    public var way: [Coordinate]
    public var isDriven: Bool
    public var seed: UInt64

    /// The change of direction from which on a bend is a corner, in radians.
    private static let corner = 0.6

    public init(along way: [Coordinate], isDriven: Bool, seed: UInt64) {
        precondition(way.count > 1, "a way has two ends")
        self.way = way
        self.isDriven = isDriven
        self.seed = seed
    }

    /// - Parameter interval: the time between samples, in whole seconds; positive.
    public func track(every interval: Int = 5) -> Track {
        precondition(interval > 0, "an interval is positive")
        var random = SplitMix64(seed: seed ^ 0x51EE_77A1)
        let plane = LocalPlane(origin: way[0])
        let line = Polyline(
            through: way.map { plane.vector(to: $0) }, turningBy: StreetTrack.corner)
        var wander = ReceiverNoise(deviation: 1.5, seed: random.next())
        let moments = (isDriven ? MovementModel.byCar : .onFoot).move(along: line, using: &random)
        var segment = 0
        var samples: [Track.Sample] = []
        for (second, moment) in moments.enumerated() {
            let place = line.place(at: moment.distance, from: &segment)
            guard second.isMultiple(of: interval) || second == moments.count - 1 else { continue }
            let offset = Duration.seconds(second)
            samples.append(
                Track.Sample(
                    offset: offset,
                    coordinate: plane.coordinate(at: place.position + wander.error(at: offset)),
                    accuracy: wander.accuracy, speed: moment.speed,
                    heading: moment.speed > 0 ? place.heading : nil))
        }
        return Track(samples: samples)
    }
}
