extension Track {
    /// Its first sample alone.
    public var first: Track { Track(samples: [samples[0]]) }

    /// The same, and then nobody moves any more, give or take what the receiver makes of it.
    ///
    /// - Parameters:
    ///   - duration: how long they stand, with a fix every `interval`.
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
