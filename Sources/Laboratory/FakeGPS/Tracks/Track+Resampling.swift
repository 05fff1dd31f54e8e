internal import Tracking

extension Track {
    /// Returns the same track with a sample at every multiple of `interval`, and its last one.
    ///
    /// Positions between recorded samples lie on a straight line. Nothing is interpolated during
    /// pauses of the recorder: samples missing there stay missing.
    ///
    /// - Parameter interval: positive.
    /// - Throws: if that would be more than ``maximumCount`` samples.
    public func resampled(every interval: Duration) throws(TrackError) -> Track {
        precondition(interval > .zero, "an interval is positive")
        guard duration / interval < Double(Track.maximumCount) else { throw TrackError(.tooLong) }
        let longestStep = gapThreshold.map { max($0, interval * 2) }
        var result: [Sample] = []
        var offset = Duration.zero
        for (sample, next) in zip(samples, samples.dropFirst()) where next.offset > offset {
            let isGap = longestStep.map { next.offset - sample.offset > $0 } ?? false
            while offset < next.offset {
                if !isGap || offset <= sample.offset {
                    result.append(sample.moved(towards: next, at: offset))
                }
                offset += interval
            }
        }
        if let last = samples.last { result.append(last) }
        return Track(samples: result, gapThreshold: longestStep)
    }
}

extension Track.Sample {
    /// - Parameter offset: not after the next one's.
    fileprivate func moved(towards next: Track.Sample, at offset: Duration) -> Track.Sample {
        guard offset > self.offset, next.offset > self.offset else {
            var copy = self
            copy.offset = offset
            return copy
        }
        let share = (offset - self.offset) / (next.offset - self.offset)
        func between(_ from: Double, _ to: Double) -> Double { from + (to - from) * share }
        func between(_ from: Double?, _ to: Double?) -> Double? {
            guard let from, let to else { return from }
            return between(from, to)
        }
        // Takes the shorter way around the world, across the date line if necessary.
        var eastward = next.coordinate.longitude - coordinate.longitude
        if abs(eastward) > 180 { eastward -= eastward > 0 ? 360 : -360 }
        let place = Coordinate(
            latitude: between(coordinate.latitude, next.coordinate.latitude),
            longitude: (coordinate.longitude + eastward * share).asLongitude)
        return Track.Sample(
            offset: offset, coordinate: place ?? coordinate,
            altitude: between(altitude, next.altitude),
            accuracy: between(accuracy, next.accuracy), speed: between(speed, next.speed),
            heading: heading)
    }
}

extension Double {
    /// Normalised to −180…180, from at most one turn outside.
    var asLongitude: Double { self > 180 ? self - 360 : self < -180 ? self + 360 : self }
}
