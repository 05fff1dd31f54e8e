extension Track {
    /// A track that consists of the first sample only.
    public var first: Track { Track(samples: [samples[0]]) }

    /// Returns the same track followed by standing still, apart from the receiver's error.
    ///
    /// - Parameters:
    ///   - duration: how long to stand, with a fix every `interval`.
    ///   - seed: for the receiver's error, a few metres.
    public func thenStanding(
        for duration: Duration, every interval: Duration = .seconds(5), seed: UInt64 = 1
    ) -> Track {
        precondition(interval > .zero, "an interval is positive")
        var wander = ReceiverNoise(deviation: 2, seed: seed)
        let plane = LocalPlane(origin: destination)
        var standing = samples
        var offset = self.duration + interval
        while offset <= self.duration + duration {
            standing.append(
                Sample(
                    offset: offset, coordinate: plane.coordinate(at: wander.error(at: offset)),
                    accuracy: wander.accuracy, speed: 0))
            offset += interval
        }
        return Track(samples: standing, gapThreshold: gapThreshold)
    }
}
