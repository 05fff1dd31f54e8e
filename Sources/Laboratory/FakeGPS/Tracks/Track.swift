public import Tracking

/// A person's positions over time: at least one sample, in chronological order.
public struct Track: Hashable, Sendable {
    public struct Sample: Hashable, Sendable {
        /// The time since the track's first sample.
        public var offset: Duration
        public var coordinate: Coordinate
        /// Metres above the ellipsoid.
        public var altitude: Double?
        /// The radius of 95 % confidence, in metres.
        public var accuracy: Double?
        /// Metres per second.
        public var speed: Double?
        /// Degrees clockwise from true north, 0..<360.
        public var heading: Double?

        public init(
            offset: Duration, coordinate: Coordinate, altitude: Double? = nil,
            accuracy: Double? = nil, speed: Double? = nil, heading: Double? = nil
        ) {
            self.offset = offset
            self.coordinate = coordinate
            self.altitude = altitude
            self.accuracy = accuracy
            self.speed = speed
            self.heading = heading
        }
    }

    /// The most samples in one track; eleven days at one per second.
    public static let maximumCount = 1_000_000

    /// In ascending order of offset, from zero.
    public let samples: [Sample]
    /// Longer steps are pauses of the recorder, during which nothing is interpolated. Nil if the
    /// times are invented anyway.
    let gapThreshold: Duration?

    /// - Parameter samples: at least one, ascending by offset from zero.
    init(samples: [Sample], gapThreshold: Duration? = nil) {
        precondition(samples.first?.offset == .zero, "a track begins with its first sample")
        self.samples = samples
        self.gapThreshold = gapThreshold
    }

    public var duration: Duration { samples.last?.offset ?? .zero }
    /// Where the track ends.
    public var destination: Coordinate { samples[samples.count - 1].coordinate }
}

extension Duration {
    var inSeconds: Double { self / .seconds(1) }
}
