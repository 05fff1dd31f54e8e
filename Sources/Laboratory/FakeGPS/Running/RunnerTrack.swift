public import Racing
internal import Tracking

/// An invented runner's progress along a run's course: each at their own, changing pace, with
/// breaks, and with receiver errors, a few of which are large.
public struct RunnerTrack: Sendable {
    public let course: Course
    public let seed: UInt64

    /// Metres per second, from a walk to a good runner.
    static let speeds = 1.8...5.2
    /// The number of runners in a hundred who stop on the way, and for how many seconds.
    private static let breaks = 12
    private static let breakLength = 20.0...180.0
    /// The number in a hundred who never reach the finish.
    private static let retirements = 4
    /// The number of positions in a thousand that are far away.
    private static let glitches = 2
    private static let glitchLength = 80.0...400.0
    private static let standingAfterwards = 20

    public init(_ course: Course, seed: UInt64) { (self.course, self.seed) = (course, seed) }

    /// - Parameters:
    ///   - wait: whole seconds at the start, before it begins.
    ///   - interval: between samples, in whole seconds; positive.
    public func track(after wait: Int, every interval: Int = 1) -> Track {
        var random = SplitMix64(seed: seed)
        var noise = ReceiverNoise(deviation: random.next(in: 2...6), seed: random.next())
        let usual = random.next(in: RunnerTrack.speeds)
        let stop = random.chance(RunnerTrack.breaks) ? random.next(in: 0.1...0.9) : nil
        let end =
            course.length
            * (random.chance(RunnerTrack.retirements) ? random.next(in: 0.1...0.9) : 1)
        var rest = random.next(in: RunnerTrack.breakLength)
        let reaction = random.next(in: 0.0...20.0)
        var (samples, metres, second, after): ([Track.Sample], Double, Int, Int) = ([], 0, 0, 0)
        while after < RunnerTrack.standingAfterwards {
            if second.isMultiple(of: interval) {
                samples.append(sample(at: second, metres, usual, &noise, &random))
            }
            second += 1
            if Double(second - wait) <= reaction { continue }
            if metres >= end {
                after += 1
            } else if let stop, metres >= stop * course.length, rest > 0 {
                rest -= 1
            } else {
                // Tired towards the end.
                let tired = 1 - 0.15 * metres / course.length
                metres = min(end, metres + usual * tired * random.next(in: 0.9...1.1))
            }
        }
        return Track(samples: samples)
    }

    private func sample(
        at second: Int, _ metres: Double, _ speed: Double, _ noise: inout ReceiverNoise,
        _ random: inout SplitMix64
    ) -> Track.Sample {
        let place = course.point(at: metres)
        let plane = LocalPlane(origin: place)
        var error = noise.error(at: .seconds(second))
        if random.next() % 1_000 < RunnerTrack.glitches {
            error.east += random.next(in: RunnerTrack.glitchLength)
        }
        return Track.Sample(
            offset: .seconds(second), coordinate: plane.coordinate(at: error),
            accuracy: noise.accuracy, speed: metres > 0 ? speed : 0)
    }
}

extension SplitMix64 {
    fileprivate mutating func chance(_ ofHundred: Int) -> Bool { next() % 100 < ofHundred }
}
