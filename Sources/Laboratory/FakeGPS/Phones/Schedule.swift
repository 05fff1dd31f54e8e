internal import Tracking

/// When a phone takes which fix, and when it is silent: its track, with the speed, the gaps and the
/// jitter applied.
struct Schedule {
    struct Departure: Hashable {
        /// When to take the fix, since the fleet's start, in real time.
        var due: Duration
        /// The fix's timestamp, on the same scale; never after ``due``.
        var takenAt: Duration
        var sample: Track.Sample
    }

    private let phone: Phone
    private let pace: ReplaySpeed
    private var lap = 0
    private var index = 0
    private var wander: ReceiverNoise?
    private var last: Departure?

    init(_ phone: Phone, _ pace: ReplaySpeed) {
        self.phone = phone
        self.pace = pace
        if phone.jitter > 0 { wander = ReceiverNoise(deviation: phone.jitter, seed: phone.seed) }
    }

    /// Returns the next departure, in order; nil when the track has ended. No two have timestamps
    /// in the same millisecond.
    mutating func next() -> Departure? {
        while let sample = nextSample() {
            if phone.gaps.contains(where: { $0.contains(sample.offset) }) { continue }
            var departure = Departure(
                due: realTime(sample.offset), takenAt: timestamp(sample.offset), sample: sample)
            if let last {
                departure.takenAt = max(departure.takenAt, last.takenAt + .milliseconds(1))
                departure.due = max(departure.due, last.due, departure.takenAt)
                if phone.format == .ownTracks, departure.takenAt.isSameSecond(as: last.takenAt) {
                    continue
                }
            }
            if let error = wander?.error(at: sample.offset), let wander {
                departure.sample.coordinate =
                    LocalPlane(origin: sample.coordinate).coordinate(at: error)
                departure.sample.accuracy = (sample.accuracy ?? 0) + wander.accuracy
            }
            last = departure
            return departure
        }
        return nil
    }

    /// Converts a time on the track's clock to real time.
    func realTime(_ offset: Duration) -> Duration { phone.startsAfter + offset / pace.speed }

    /// The end of the current silent period; nil if there is none.
    func silence(at now: Duration) -> Duration? {
        let ends = phone.buffers
            .map { realTime($0.lowerBound)..<realTime($0.upperBound) }
            .filter { $0.contains(now) }
            .map(\.upperBound)
        return ends.max()
    }

    private func timestamp(_ offset: Duration) -> Duration {
        guard pace.keepsIntervals else { return realTime(offset) }
        let duration = phone.track.duration
        return phone.startsAfter + min(.zero, duration / pace.speed - duration) + offset
    }

    /// Returns the samples of the track, back and forth if so configured.
    private mutating func nextSample() -> Track.Sample? {
        let samples = phone.track.samples
        if index == samples.count {
            guard phone.goesBackAndForth, phone.track.duration > .zero else { return nil }
            lap += 1
            index = 1  // The sample at the turning point was already in the previous lap.
        }
        defer { index += 1 }
        let start = phone.track.duration * lap
        var sample = samples[lap.isMultiple(of: 2) ? index : samples.count - 1 - index]
        if lap.isMultiple(of: 2) {
            sample.offset += start
        } else {
            sample.offset = start + (phone.track.duration - sample.offset)
            sample.heading = sample.heading.map { $0 < 180 ? $0 + 180 : $0 - 180 }
        }
        return sample
    }
}

extension Duration {
    fileprivate func isSameSecond(as other: Duration) -> Bool {
        components.seconds == other.components.seconds
    }
}
