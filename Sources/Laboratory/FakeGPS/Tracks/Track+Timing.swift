internal import Numbers
internal import Tracking

extension Track {
    /// Walking speed, in metres per second.
    public static let usualPace = 1.4

    /// Makes a track of a file's readings, in chronological order.
    ///
    /// If times are missing, the way between two known times is travelled at a constant speed, and
    /// the way before the first or after the last one at `pace`.
    ///
    /// - Parameter pace: in metres per second, at least 0.01.
    /// - Throws: if there are no readings, or too many.
    init(_ readings: [Reading], pace: Double) throws(TrackError) {
        precondition(pace >= 0.01, "nobody is that slow")
        guard !readings.isEmpty else { throw TrackError(.noTrack) }
        guard readings.count <= Track.maximumCount else { throw TrackError(.tooLong) }
        let times = Track.seconds(of: readings, pace: pace)
        let order =
            zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
            ? Array(times.indices)
            : times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
        let start = times[order[0]]
        let samples = order.map { index in
            let reading = readings[index]
            return Sample(
                offset: .milliseconds(Int64(clamping: ((times[index] - start) * 1000).rounded())),
                coordinate: reading.coordinate, altitude: reading.altitude,
                accuracy: reading.accuracy, speed: reading.speed, heading: reading.heading)
        }
        let isTimed = readings.contains { $0.time != nil }
        self.init(samples: samples, gapThreshold: isTimed ? Track.gapThreshold(samples) : nil)
    }

    /// The times of all readings, in seconds on a common scale.
    private static func seconds(of readings: [Reading], pace: Double) -> [Double] {
        let steps = zip(readings, readings.dropFirst()).map {
            $0.coordinate.distance(to: $1.coordinate)
        }
        let known = readings.indices.filter { readings[$0].time != nil }
        var times = readings.map { Double($0.time?.milliseconds ?? 0) / 1000 }
        let (first, last) = (known.first ?? 0, known.last ?? 0)
        for index in (0..<first).reversed() {
            times[index] = times[index + 1] - steps[index] / pace
        }
        for index in readings.indices.dropFirst(last + 1) {
            times[index] = times[index - 1] + steps[index - 1] / pace
        }
        for (from, to) in zip(known, known.dropFirst()) where to > from + 1 {
            let length = steps[from..<to].reduce(0, +)
            var passed = 0.0
            for index in (from + 1)..<to {
                passed += steps[index - 1]
                let share = length > 0 ? passed / length : Double(index - from) / Double(to - from)
                times[index] = times[from] + (times[to] - times[from]) * share
            }
        }
        return times
    }

    /// One minute, or ten times the median interval if that is longer.
    private static func gapThreshold(_ samples: [Sample]) -> Duration {
        let steps = zip(samples, samples.dropFirst()).map { $1.offset - $0.offset }.sorted()
        guard !steps.isEmpty else { return .seconds(60) }
        return max(.seconds(60), steps[steps.count / 2] * 10)
    }
}
