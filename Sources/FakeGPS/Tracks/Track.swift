public import Tracking

/// Where somebody was and when: samples in the order of time, at least one.
public struct Track: Hashable, Sendable {
    public struct Sample: Hashable, Sendable {
        /// Since the track's first sample.
        public var offset: Duration
        public var coordinate: Coordinate
        /// Metres above the ellipsoid.
        public var altitude: Double?
        /// Metres, 95 % confidence.
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

    /// Samples in one track; a second's interval for eleven days.
    public static let maximumCount = 1_000_000

    /// Ascending by offset, from zero.
    public let samples: [Sample]
    /// Steps longer than this are pauses of the recorder, not of its carrier: nothing is
    /// invented inside them. Nil where the times are invented anyway.
    let gapThreshold: Duration?

    /// - Parameter samples: at least one, ascending by offset from zero.
    init(samples: [Sample], gapThreshold: Duration? = nil) {
        precondition(samples.first?.offset == .zero, "a track begins with its first sample")
        self.samples = samples
        self.gapThreshold = gapThreshold
    }

    public var duration: Duration { samples.last?.offset ?? .zero }
    /// Where it ends.
    public var destination: Coordinate { samples[samples.count - 1].coordinate }
}

extension Duration {
    var inSeconds: Double { self / .seconds(1) }
}
